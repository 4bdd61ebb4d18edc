import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { displayCommand, type Command } from "../src/core/command.js";
import {
  describeFailure,
  environmentPython,
  installSteps,
  installVariables,
  libraryProgress,
} from "../src/core/installSteps.js";

const PYTHON: Command = { executable: "py", args: ["-3"] };
const PARTS = { wheel: "/ext/conflens-1.whl", requirements: "/ext/requirements.txt" };
const STEPS = installSteps(PYTHON, "/s/p", PARTS, "linux");

describe("steps", () => {
  test("create, install pinned libraries, install the wheel, check", () => {
    assert.deepEqual(
      STEPS.map(({ command }) => displayCommand(command)),
      [
        "py -3 -m venv /s/p",
        "/s/p/bin/python -I -m pip install --progress-bar off --retries 2 --only-binary :all: " +
          "--require-hashes --requirement /ext/requirements.txt",
        "/s/p/bin/python -I -m pip install --progress-bar off --no-index --no-deps /ext/conflens-1.whl",
        "/s/p/bin/python -I -m conflens --version",
      ],
    );
  });

  test("Windows keeps the interpreter elsewhere", () => {
    assert.equal(environmentPython("C:\\s", "win32"), "C:\\s\\Scripts\\python.exe");
  });
});

describe("variables", () => {
  test("what leads out of the environment is left out; mirrors and certificates stay", () => {
    const given = {
      PATH: "/bin",
      PYTHONPATH: "/elsewhere",
      PIP_TARGET: "/elsewhere",
      PIP_INDEX_URL: "http://mirror",
      PIP_CERT: "/ca.pem",
      PIP_USER: "1",
    };
    const { PATH, PYTHONPATH, PIP_TARGET, PIP_INDEX_URL, PIP_CERT, PIP_USER } = installVariables(
      given,
      undefined,
    ) as Record<string, string | undefined>;
    assert.deepEqual([PATH, PIP_INDEX_URL, PIP_CERT], ["/bin", "http://mirror", "/ca.pem"]);
    assert.deepEqual([PYTHONPATH, PIP_TARGET, PIP_USER], [undefined, undefined, "0"]);
  });

  test("the editor's proxy counts unless the variables name one", () => {
    assert.equal(installVariables({}, "http://p:1").HTTPS_PROXY, "http://p:1");
    assert.equal(installVariables({}, "").HTTPS_PROXY, undefined);
    const own = installVariables({ https_proxy: "http://own" }, "http://p:1");
    assert.deepEqual([own.https_proxy, own.HTTPS_PROXY], ["http://own", undefined]);
  });
});

test("progress counts libraries, also when lines come in pieces", () => {
  const progress = libraryProgress("attrs==1 \\\n    --hash=sha256:0\nrich==2\nscikit-learn==3\n");
  assert.equal(progress("Collecting at"), undefined);
  assert.equal(
    progress("trs==1 (from -r x)\n  Downloading attrs.whl\nCollecting rich==2\nCol"),
    "downloading libraries (2 of 3): rich",
  );
  assert.equal(
    progress("lecting scikit-learn==3\r\n"),
    "downloading libraries (3 of 3): scikit-learn",
  );
  assert.equal(progress("Installing collected packages: attrs, rich\n"), "installing libraries");
});

describe("failures", () => {
  const told = (step: number, output: string): string => {
    const chosen = STEPS[step];
    assert.ok(chosen);
    return describeFailure(chosen, { code: 1, output, failure: undefined });
  };

  // What the tools print in these cases, shortened.
  const cases: readonly (readonly [string, number, string, RegExp])[] = [
    [
      "Debian without python3-venv",
      0,
      "The virtual environment was not created successfully because ensurepip is not\navailable.  On " +
        "Debian/Ubuntu systems, you need to install the python3-venv\npackage using the following command.\n\n" +
        "    apt install python3.11-venv\n\nFailing command: /x/bin/python3\n",
      /apt install python3\.11-venv$/,
    ],
    ["no venv module", 0, "/usr/bin/python3: No module named venv\n", /lacks the module venv/],
    [
      "offline",
      1,
      "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError(': Failed to establish a new " +
        "connection: [Errno -3] Temporary failure in name resolution')'\nERROR: Could not find a version that satisfies the " +
        "requirement attrs==26.1.0 (from versions: none)\nERROR: No matching distribution found for attrs==26.1.0\n",
      /could not reach the package index/,
    ],
    [
      "a proxy that refuses",
      1,
      "after connection broken by 'ProxyError('Cannot connect to proxy.', NewConnectionError('refused'))'\n",
      /proxy rejected pip/,
    ],
    [
      "a proxy with a certificate of its own",
      1,
      "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'))\n",
      /certificate.*not trusted/,
    ],
    [
      "no wheel for this Python",
      1,
      "ERROR: Could not find a version that satisfies the requirement numpy==2.4.6 (from versions: 1.0)\n" +
        "ERROR: No matching distribution found for numpy==2.4.6\n",
      /There is no numpy==2\.4\.6 for this version of Python/,
    ],
    [
      "another file under the same name",
      1,
      "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n",
      /does not match its expected hash/,
    ],
    [
      "a full disk",
      1,
      "ERROR: Could not install: [Errno 28] No space left on device\n",
      /disk is full/,
    ],
    ["no right to write", 0, "Error: [Errno 13] Permission denied: '/s'\n", /could not be written/],
    ["anything else", 2, "one\nERROR: two\n", /\(exit code 1: ERROR: two\)$/],
  ];
  for (const [name, step, output, expected] of cases) {
    test(name, () => assert.match(told(step, output), expected));
  }

  test("a step that took too long says that, whatever it printed", () => {
    const [, second] = STEPS;
    assert.ok(second);
    const result = { code: undefined, output: "ProxyError", failure: "no answer within 1800 s" };
    assert.match(describeFailure(second, result), /\(no answer within 1800 s\)$/);
  });
});
