import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { Kubectl } from "../tools/kubectl.ts";
import { ServerProcess } from "../tools/server-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { access } from "./kubectl/access.ts";
import { applying } from "./kubectl/applying.ts";
import { deleting } from "./kubectl/deleting.ts";
import { discovering } from "./kubectl/discovering.ts";
import { nodes } from "./kubectl/nodes.ts";
import { reading } from "./kubectl/reading.ts";
import { rollouts } from "./kubectl/rollouts.ts";
import { writing } from "./kubectl/writing.ts";

const binary = findTool("kubectl");
if (binary === undefined) console.warn(`kubectl: ${skipMessage("kubectl")}`);

describe.runIf(binary !== undefined)("kubectl against a fresh server on the embedded store", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-kubectl-"));
  const server = new ServerProcess({ directory });
  const kubectl = new Kubectl({ binary: binary ?? "", kubeconfig: server.kubeconfig, home: directory });
  beforeAll(() => server.start());
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  for (const theme of [discovering, reading, writing, applying, deleting, rollouts, access, nodes]) theme(kubectl);
});
