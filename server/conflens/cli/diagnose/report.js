(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const scroller = document.getElementById("scroller");
  if (!scroller || data.graphs.length === 0) return;
  const canvas = document.getElementById("flame");
  const spacer = document.getElementById("spacer");
  const detail = document.getElementById("detail");
  const spoken = document.getElementById("spoken");
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const reset = document.getElementById("reset");
  const kinds = [...document.querySelectorAll("[data-kind]")];
  const options = [...document.querySelectorAll("[data-option]")];
  const paint = canvas.getContext("2d");
  const ROW = 21;
  const EDGE = 4;
  const LEVELS = 16;
  const COLOURS = 8;
  const FONT = '12px system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif';
  const state = { kind: 0, zoom: 0, node: 0, hover: -1, option: -1, words: "" };
  const graphs = data.graphs.map(layout);
  let theme = null;
  let wanted = false;

  // Nodes come level by level, siblings heaviest first, so one pass places them all.
  function layout(graph) {
    const size = graph.parent.length;
    const x = new Float64Array(size);
    const next = new Float64Array(size);
    const depth = new Int32Array(size);
    const nearest = new Int32Array(size).fill(-1);
    const first = new Int32Array(size).fill(-1);
    const levels = [0];
    const labels = new Map(graph.labels);
    const ownLabels = new Map(graph.ownLabels);
    for (let node = 0; node < size; node++) {
      const above = graph.parent[node];
      if (above >= 0) {
        x[node] = next[above];
        next[above] += graph.width[node];
        depth[node] = depth[above] + 1;
        nearest[node] = nearest[above];
        if (first[above] < 0) first[above] = node;
        if (depth[node] === levels.length) levels.push(node);
      }
      next[node] = x[node];
      const begun = labels.get(node);
      if (begun) nearest[node] = begun[0];
    }
    levels.push(size);
    return { ...graph, size, x, depth, nearest, first, levels, labels, ownLabels, under: new Map(), hits: null };
  }

  // Which nodes are under an option: 1 with all below, 2 with their own work only.
  function under(graph, option) {
    let mask = graph.under.get(option);
    if (!mask) {
      mask = new Uint8Array(graph.size);
      for (let node = 1; node < graph.size; node++) {
        const has = (marks) => (marks.get(node) || []).includes(option);
        if (mask[graph.parent[node]] === 1 || has(graph.labels)) mask[node] = 1;
        else if (has(graph.ownLabels)) mask[node] = 2;
      }
      graph.under.set(option, mask);
    }
    return mask;
  }

  const marksAt = (graph, node) => [...new Set([...(graph.labels.get(node) || []), ...(graph.ownLabels.get(node) || [])])];

  function edgeOf(graph, node, mask) {
    if (mask) return mask[node] ? state.option : -1;
    if (graph.nearest[node] >= 0) return graph.nearest[node];
    const own = graph.ownLabels.get(node);
    return own ? own[0] : -1;
  }

  function readTheme() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(name).trim();
    const triple = (name) => value(name).split(/\s+/).map(Number);
    theme = {
      frame: triple("--frame"), grew: triple("--grew"), shrank: triple("--shrank"), edge: triple("--edge"),
      found: triple("--found"), ink: triple("--ink"), pale: triple("--pale"), text: value("--text"),
      accent: value("--accent"), light: value("--hue-light"),
      options: Array.from({ length: COLOURS }, (_, at) => value(`--o${at}`)),
    };
  }

  const mix = (one, other, part) => one.map((value, at) => Math.round(value + (other[at] - value) * part));
  const css = (colour) => `rgb(${colour.join(",")})`;
  const bright = (colour) => (colour[0] * 299 + colour[1] * 587 + colour[2] * 114) / 1000;

  function hue(text) {
    let hash = 7;
    for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) >>> 0;
    return hash;
  }

  function hsl(degrees, saturation, light) {
    const part = saturation * Math.min(light, 1 - light);
    const one = (offset) => {
      const at = (offset + degrees / 30) % 12;
      return Math.round(255 * (light - part * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
    };
    return [one(0), one(8), one(4)];
  }

  function fill(graph, node) {
    if (node === 0) return theme.frame;
    if (graph.before) {
      const now = graph.width[node];
      const before = graph.before[node];
      const change = (now - before) / Math.max(now, before, 1);
      if (Math.abs(change) < 0.03) return theme.frame;
      return mix(theme.frame, change > 0 ? theme.grew : theme.shrank, 0.2 + 0.8 * Math.abs(change));
    }
    const full = graph.names[graph.name[node]][1];
    const owner = full.slice(0, full.lastIndexOf(".") + 1);
    return hsl(20 + (hue(owner) % 45), 0.55, parseFloat(theme.light) / 100);
  }

  function hits(graph) {
    if (state.words === "") return null;
    if (graph.hits && graph.hits.words === state.words) return graph.hits;
    const names = graph.names.map((pair) => pair[1].toLowerCase().includes(state.words) || pair[0].toLowerCase().includes(state.words));
    const mask = new Uint8Array(graph.size);
    const below = new Uint8Array(graph.size);
    let count = 0;
    let weight = 0;
    for (let node = 1; node < graph.size; node++) {
      const inside = below[graph.parent[node]];
      if (names[graph.name[node]]) {
        mask[node] = 1;
        count++;
        if (!inside) weight += graph.width[node];
      }
      below[node] = inside || mask[node];
    }
    graph.hits = { words: state.words, mask, count, weight };
    return graph.hits;
  }

  function view(graph) {
    const width = graph.width[state.zoom] || 1;
    return { start: graph.x[state.zoom], scale: canvas.clientWidth / width };
  }

  function isAbove(graph, node, other) {
    for (; other >= 0; other = graph.parent[other]) if (other === node) return true;
    return false;
  }

  function box(graph, node, shown) {
    if (graph.depth[node] <= graph.depth[state.zoom] && isAbove(graph, node, state.zoom)) return [0, canvas.clientWidth];
    const left = (graph.x[node] - shown.start) * shown.scale;
    return [Math.max(left, 0), Math.min(left + graph.width[node] * shown.scale, canvas.clientWidth)];
  }

  // The end of a text that has room, cut with an ellipsis.
  function fitted(text, room) {
    if (room < 18) return "";
    if (paint.measureText(text).width <= room) return text;
    let low = 0;
    let high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (paint.measureText(text.slice(0, middle) + "…").width <= room) low = middle;
      else high = middle - 1;
    }
    return low > 1 ? text.slice(0, low) + "…" : "";
  }

  function draw() {
    wanted = false;
    if (!theme) readTheme();
    const graph = graphs[state.kind];
    const wide = scroller.clientWidth;
    const high = Math.min(scroller.clientHeight, (graph.levels.length - 1) * ROW) || ROW;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(high * ratio);
      canvas.style.width = `${wide}px`;
      canvas.style.height = `${high}px`;
    }
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, wide, high);
    paint.font = FONT;
    paint.textBaseline = "middle";
    const shown = view(graph);
    const top = scroller.scrollTop;
    const mask = state.option >= 0 ? under(graph, state.option) : null;
    const hit = hits(graph);
    const from = Math.floor(top / ROW);
    const to = Math.min(graph.levels.length - 1, Math.ceil((top + high) / ROW));
    for (let level = from; level < to; level++) {
      let end = -1;
      for (let node = graph.levels[level]; node < graph.levels[level + 1]; node++) {
        const [left, right] = box(graph, node, shown);
        if (right - left < 0.4 || right <= end) continue;
        end = Math.max(right, left + 0.8);
        drawFrame(graph, node, left, Math.max(right - left, 0.8), level * ROW - top, mask, hit);
      }
    }
    for (const [node, colour] of [[state.hover, theme.text], [state.node, theme.accent]]) {
      if (node < 0 || (node === state.node && document.activeElement !== canvas)) continue;
      const [left, right] = box(graph, node, shown);
      if (right <= left) continue;
      paint.strokeStyle = colour;
      paint.lineWidth = 2;
      paint.strokeRect(left + 1, graph.depth[node] * ROW - top + 1, Math.max(right - left - 2, 1), ROW - 3);
    }
  }

  function drawFrame(graph, node, left, width, y, mask, hit) {
    const dim = (mask && !mask[node]) || (hit && !hit.mask[node]);
    let colour = hit && hit.mask[node] ? theme.found : fill(graph, node);
    if (dim) colour = mix(colour, theme.edge, 0.72);
    paint.fillStyle = css(colour);
    paint.fillRect(left, y, Math.max(width - (width > 3 ? 1 : 0), 0.8), ROW - 1);
    const option = edgeOf(graph, node, mask);
    if (option >= 0) {
      paint.fillStyle = theme.options[Math.min(option, COLOURS - 1)];
      paint.fillRect(left, y + ROW - 1 - EDGE, Math.max(width - (width > 3 ? 1 : 0), 0.8), EDGE);
    }
    if (width < 24) return;
    const own = marksAt(graph, node);
    const ink = bright(colour) > 140 ? theme.ink : theme.pale;
    paint.fillStyle = css(dim ? mix(ink, colour, 0.55) : ink);
    const tag = own.length ? `${own.map((at) => data.options[at]).join(", ")} ▸ ` : "";
    paint.fillText(fitted(tag + title(graph, node), width - 10), left + 5, y + (ROW - 1 - EDGE / 2) / 2);
  }

  function title(graph, node) {
    return node === 0 ? `all: ${amount(graph, graph.width[0])}` : graph.names[graph.name[node]][0];
  }

  const SCALES = {
    nanoseconds: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]],
    bytes: [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "bytes"]],
    samples: [[1, "samples"]],
  };

  function amount(graph, part) {
    const weight = (part / data.whole) * graph.scale;
    if (data.scaling === "share") return percent(weight);
    if (weight === 0) return "0";
    const scales = SCALES[graph.unit] || [[1, ""]];
    const [size, name] = scales.find((item) => weight >= item[0]) || scales[scales.length - 1];
    const number = weight / size;
    const digits = number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
    const text = number.toLocaleString("en", { maximumFractionDigits: digits });
    return `${text} ${text === "1" && name.endsWith("s") && name.length > 2 ? name.slice(0, -1) : name}`.trim() + (data.scaling === "time" ? "/s" : "");
  }

  function percent(share) {
    const number = 100 * share;
    if (number === 0) return "0 %";
    if (number < 0.05) return "<0.1 %";
    return number < 9.95 ? `${number.toFixed(1).replace(".0", "")} %` : `${Math.round(number).toLocaleString("en")} %`;
  }

  function describe(graph, node) {
    const now = graph.width[node];
    const parts = [`${amount(graph, now)} (${percent(now / (graph.width[0] || 1))})`];
    if (graph.before) {
      const before = graph.before[node];
      parts.push(`before ${amount(graph, before)}`);
      const change = before ? now / before - 1 : Infinity;
      if (change === Infinity) parts.push(now ? "new" : "");
      else if (change >= 9) parts.push(`${Math.round(change + 1).toLocaleString("en")} times`);
      else parts.push(`${change < 0 ? "-" : "+"}${percent(Math.abs(change))}`);
    }
    if (node > 0) parts.push(`itself ${amount(graph, graph.own[node])}`);
    const names = new Set();
    for (let at = node; at > 0; at = graph.parent[at]) for (const one of graph.labels.get(at) || []) names.add(data.options[one]);
    if (names.size) parts.push(`under ${[...names].join(", ")}`);
    const own = (graph.ownLabels.get(node) || []).map((one) => data.options[one]).filter((name) => !names.has(name));
    if (own.length) parts.push(`its own work under ${own.join(", ")}`);
    return [node === 0 ? `All ${graph.label}` : graph.names[graph.name[node]][1], parts.filter(Boolean).join(" · ")];
  }

  function tell(node, aloud) {
    const [name, words] = describe(graphs[state.kind], node);
    const bold = document.createElement("b");
    bold.textContent = name;
    detail.replaceChildren(bold, document.createElement("br"), document.createTextNode(words));
    if (aloud) spoken.textContent = `${name}: ${words}`;
  }

  function redraw() {
    if (!wanted) {
      wanted = true;
      requestAnimationFrame(draw);
    }
  }

  function refresh() {
    const graph = graphs[state.kind];
    spacer.style.height = `${(graph.levels.length - 1) * ROW}px`;
    scroller.style.height = `${Math.min(rows(graph) * ROW + 2, Math.round(window.innerHeight * 0.7))}px`;
    kinds.forEach((button, at) => button.setAttribute("aria-pressed", String(at === state.kind)));
    options.forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.option) === state.option)));
    reset.disabled = state.zoom === 0 && state.option < 0 && state.words === "";
    const hit = hits(graph);
    found.textContent = hit ? `${hit.count.toLocaleString("en")} frames, ${percent(hit.weight / (graph.width[0] || 1))}` : "";
    redraw();
  }

  // How many levels have something that can be read; those below are scrolled to.
  function rows(graph) {
    const least = (graph.width[0] || 1) / 150;
    for (let level = graph.levels.length - 2; level >= LEVELS; level--) {
      for (let node = graph.levels[level]; node < graph.levels[level + 1]; node++) {
        if (graph.width[node] >= least) return level + 1;
      }
    }
    return Math.min(LEVELS, graph.levels.length - 1);
  }

  function reveal(node) {
    const y = graphs[state.kind].depth[node] * ROW;
    if (y < scroller.scrollTop) scroller.scrollTop = Math.max(0, y - ROW);
    else if (y + 2 * ROW > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y + 2 * ROW - scroller.clientHeight;
  }

  function select(node) {
    const graph = graphs[state.kind];
    state.node = node;
    if (!isAbove(graph, state.zoom, node) && !isAbove(graph, node, state.zoom)) state.zoom = 0;
    reveal(node);
    tell(node, true);
    refresh();
  }

  function zoom(node) {
    state.zoom = node;
    state.node = node;
    tell(node, true);
    refresh();
  }

  function nodeAt(event) {
    const graph = graphs[state.kind];
    const area = canvas.getBoundingClientRect();
    const level = Math.floor((event.clientY - area.top + scroller.scrollTop) / ROW);
    if (level < 0 || level >= graph.levels.length - 1) return -1;
    const at = event.clientX - area.left;
    const shown = view(graph);
    for (let node = graph.levels[level]; node < graph.levels[level + 1]; node++) {
      const [left, right] = box(graph, node, shown);
      if (at >= left && at < right) return node;
    }
    return -1;
  }

  function sibling(graph, step) {
    const level = graph.depth[state.node];
    for (let node = state.node + step; node >= graph.levels[level] && node < graph.levels[level + 1]; node += step) {
      if (graph.width[node] > 0) return node;
    }
    return state.node;
  }

  const keys = {
    ArrowDown: (graph) => (graph.first[state.node] >= 0 && graph.width[graph.first[state.node]] > 0 ? graph.first[state.node] : state.node),
    ArrowUp: (graph) => Math.max(graph.parent[state.node], 0),
    ArrowLeft: (graph) => sibling(graph, -1),
    ArrowRight: (graph) => sibling(graph, 1),
    Home: () => 0,
  };

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in keys) select(keys[event.key](graphs[state.kind]));
    else if (event.key === "Enter" || event.key === " ") zoom(state.node);
    else if (event.key === "Escape" || event.key === "Backspace") zoom(0);
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("click", (event) => {
    const node = nodeAt(event);
    if (node >= 0) zoom(node);
  });
  canvas.addEventListener("mousemove", (event) => {
    const node = nodeAt(event);
    if (node === state.hover) return;
    state.hover = node;
    tell(node >= 0 ? node : state.node, false);
    redraw();
  });
  canvas.addEventListener("mouseleave", () => {
    state.hover = -1;
    tell(state.node, false);
    redraw();
  });
  canvas.addEventListener("focus", redraw);
  canvas.addEventListener("blur", redraw);
  scroller.addEventListener("scroll", redraw, { passive: true });
  search.addEventListener("input", () => {
    state.words = search.value.trim().toLowerCase();
    refresh();
  });
  reset.addEventListener("click", () => {
    search.value = "";
    Object.assign(state, { zoom: 0, node: 0, option: -1, words: "" });
    tell(0, false);
    refresh();
  });
  kinds.forEach((button, at) => {
    button.addEventListener("click", () => {
      Object.assign(state, { kind: at, zoom: 0, node: 0, hover: -1 });
      scroller.scrollTop = 0;
      tell(0, false);
      refresh();
    });
  });
  options.forEach((button) => {
    button.addEventListener("click", () => {
      const option = Number(button.dataset.option);
      state.option = state.option === option ? -1 : option;
      const own = (graph) => [...graph.labels.values(), ...graph.ownLabels.values()].some((one) => one.includes(option));
      if (state.option >= 0 && !own(graphs[state.kind])) {
        const other = graphs.findIndex(own);
        if (other >= 0) Object.assign(state, { kind: other, zoom: 0, node: 0, hover: -1 });
      }
      refresh();
    });
  });
  const again = () => {
    theme = null;
    refresh();
  };
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  new ResizeObserver(refresh).observe(scroller);
  document.getElementById("graph").hidden = false;
  tell(0, false);
  refresh();
})();
