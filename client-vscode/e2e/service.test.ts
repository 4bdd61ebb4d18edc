/**
 * A small service with bound properties, and config files of other suffixes: what first-time users
 * met there and took for broken.
 */

import * as assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { after, before, describe, it } from "node:test";

import { Editor } from "./editor.js";
import { until } from "./page.js";
import { scratch } from "./places.js";

const JAVA = "src/main/java/demo";
const YAML = "src/main/resources/application.yml";
const IMPORT = "import org.springframework.boot.context.properties.ConfigurationProperties;";

const FILES: Readonly<Record<string, string>> = {
  [`${JAVA}/KafkaProperties.java`]: `package demo;

${IMPORT}

@ConfigurationProperties("app.kafka")
public class KafkaProperties {
    private int streams = 1;
    private String hostName = "localhost";

    public int getStreams() {
        return streams;
    }

    public void setStreams(int streams) {
        this.streams = streams;
    }

    public String getHostName() {
        return hostName;
    }

    public void setHostName(String hostName) {
        this.hostName = hostName;
    }
}
`,
  [`${JAVA}/PoolProperties.java`]: `package demo;

${IMPORT}

@ConfigurationProperties("app.pool")
public class PoolProperties {
    private final int size;

    public PoolProperties(int size) {
        this.size = size;
    }
}
`,
  [`${JAVA}/Collector.java`]: `package demo;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class Collector {
    final ExecutorService workers;

    Collector(KafkaProperties properties) {
        workers = Executors.newFixedThreadPool(properties.getStreams());
    }
}
`,
  [`${JAVA}/Broker.java`]: `package demo;

import java.io.FileReader;
import java.io.IOException;
import java.util.Properties;

class Broker {
    final String name;
    final int connections;

    Broker(String file) throws IOException {
        Properties properties = new Properties();
        try (FileReader reader = new FileReader(file)) {
            properties.load(reader);
        }
        name = properties.getProperty("broker.name", "broker");
        connections = Integer.parseInt(properties.getProperty("broker.connections", "100"));
    }
}
`,
  [YAML]: `app:
  kafka:
    streams: 3
    straems: 4
    host-name: kafka
  pool:
    size: 8
`,
  "conf/broker.conf": "# In the syntax of properties.\nbroker.name=a\nbroker.connections=200\n",
  "deploy/staging.settings": "broker.name=b\nbroker.connections=50\n",
};

describe("a service with bound properties and config files of other suffixes", () => {
  let editor: Editor;
  let folder = "";

  before(async () => {
    folder = path.join(scratch("ws", "service"), "service");
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    editor = await Editor.open({
      name: "service",
      folder,
      file: `${JAVA}/Collector.java`,
      settings: {
        "conflens.configFiles.paths": ["deploy/staging.settings", "deploy/production.settings"],
      },
    });
  });

  after(() => editor.close());

  it("reads a .conf in the syntax of properties", () =>
    editor.during(async (workbench) => {
      await workbench.awaitOurs(/^ConfLens: 5 options$/);
      await workbench.open("conf/broker.conf", 3);
      const text = await workbench.hover("broker.connections", /broker\.connections/);
      assert.match(text, /broker\.connections · property/);
      await workbench.rest();
    }));

  it("reads each file that the user lists", () =>
    editor.during(async (workbench) => {
      await workbench.open("deploy/staging.settings", 2);
      const text = await workbench.hover("broker.connections", /broker\.connections/);
      assert.match(text, /broker\.connections · property/);
      await workbench.rest();
    }));

  it("says of a listed file why it cannot be read", () =>
    editor.during(async (workbench) => {
      await workbench.command("ConfLens: Show Status");
      const page = await workbench.preview(/production\.settings/);
      assert.match(page, /This file is listed as a config file, but it does not exist\./);
    }));

  it("asks “did you mean” also where the right key is set", () =>
    editor.during(async (workbench) => {
      await workbench.open(YAML, 4);
      await until("a squiggle", async () => (await workbench.squiggles("warning")) > 0);
      const text = await workbench.hover("straems", /straems/);
      assert.match(text, /Unknown option 'app\.kafka\.straems'\. Did you mean 'streams'\?/);
      await workbench.rest();
    }));

  it("renames a bound field with its accessors, their calls and the keys, once they are confirmed", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await workbench.open(YAML, 3);
      await workbench.clickText("streams", "streams: 3");
      await workbench.type("F2");
      const box = page.locator(".rename-box:visible input");
      await box.waitFor();
      assert.equal(await box.inputValue(), "app.kafka.streams");
      await box.fill("app.kafka.workers");
      await workbench.type("Enter");
      const changes = await workbench.changes(4);
      assert.ok(
        changes.some((text) => text.includes("getWorkers")),
        changes.join("\n"),
      );
      await workbench.applyChanges("Collector.java", "KafkaProperties.java", path.basename(YAML));
      await until("the new key", async () =>
        (await workbench.lines()).some((line) => line.trim() === "workers: 3"),
      );
      await workbench.command("File: Save All Files");
      const read = (file: string): string => readFileSync(path.join(folder, file), "utf8");
      await until("the new names on disk", async () => read(YAML).includes("workers: 3"));
      const java = read(`${JAVA}/KafkaProperties.java`);
      assert.match(java, /private int workers = 1;/);
      assert.match(java, /public int getWorkers\(\) \{\s+return workers;/);
      assert.match(java, /public void setWorkers\(int \w+\)/);
      assert.match(read(`${JAVA}/Collector.java`), /properties\.getWorkers\(\)/);
    }));

  it("refuses another rename before a name is typed, and says why", () =>
    editor.during(async (workbench) => {
      const { page } = workbench;
      await workbench.open(YAML, 7);
      await workbench.clickText("size", "size: 8");
      await workbench.type("F2");
      const message = page.locator(".monaco-editor-overlaymessage:visible");
      const text = await until("the reason", async () =>
        (await message.allInnerTexts()).join(" ").replaceAll("\u00a0", " ").trim(),
      );
      assert.match(
        text,
        /^Can't rename: the key is derived from a constructor parameter \(PoolProperties\.java:\d+\)\. Rename both by hand\.$/,
      );
      assert.equal(await page.locator(".rename-box:visible").count(), 0);
    }));
});
