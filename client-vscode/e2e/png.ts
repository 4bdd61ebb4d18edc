/**
 * Makes a picture of the screen small: the same pixels with a palette of at most 256 colours.
 *
 * A page of code has few colours and their blends at the edges of letters; those that are seldom
 * are replaced by the nearest that stays. Only what Chromium writes is read: eight bits a channel,
 * RGB or RGBA, not interlaced; transparency is dropped.
 */

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;

export function small(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) {
    counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  }
  const colours = chosen(counts);
  const indexes = new Map(colours.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0, at = 0; y < height; y++) {
    const row = y * (width + 1) + 1;
    for (let x = 0; x < width; x++, at++) {
      const colour = pixels[at] ?? 0;
      let index = indexes.get(colour);
      if (index === undefined) {
        index = nearest(colours, colour);
        indexes.set(colour, index);
      }
      rows[row + x] = index;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, each an index into the palette.
  head.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.from(colours.flatMap((colour) => channels(colour)));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", table),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The colours that stay: of each hue the most frequent, then the most frequent of all. */
function chosen(counts: ReadonlyMap<number, number>): number[] {
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour);
  const hues = new Map<number, number>();
  for (const colour of frequent) {
    const [red, green, blue] = channels(colour);
    const hue = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    if (!hues.has(hue)) {
      hues.set(hue, colour);
    }
  }
  return [...new Set([...hues.values(), ...frequent])].slice(0, COLOURS);
}

/** Width, height and the pixels, each a number `0xRRGGBB`. */
function decoded(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  let width = 0;
  let height = 0;
  let size = 0;
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      size = { 2: 3, 6: 4 }[data[9] ?? 0] ?? 0;
      if (data[8] !== 8 || size === 0 || data[12] !== 0) {
        throw new Error("This is no picture as Chromium writes them.");
      }
    } else if (type === "IDAT") {
      parts.push(data);
    }
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const row = new Uint8Array(raw.subarray(start + 1, start + 1 + stride));
    unfilter(raw[start] ?? 0, row, above, size);
    for (let x = 0; x < width; x++) {
      const at = x * size;
      pixels[y * width + x] =
        ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0);
    }
    above = row;
  }
  return { width, height, pixels };
}

/** Undoes the filter of a row in place. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, size: number): void {
  for (let at = 0; at < row.length; at++) {
    const left = at >= size ? (row[at - size] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at >= size ? (above[at - size] ?? 0) : 0;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    row[at] = (row[at] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function nearest(colours: readonly number[], wanted: number): number {
  const [red, green, blue] = channels(wanted);
  let best = 0;
  let least = Infinity;
  for (const [index, colour] of colours.entries()) {
    const [r, g, b] = channels(colour);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) {
      least = distance;
      best = index;
    }
  }
  return best;
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
