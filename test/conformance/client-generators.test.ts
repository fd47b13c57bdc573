import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AdminClient } from "../tools/admin-client.ts";
import { ProjectCopy } from "../tools/project-copy.ts";
import { ServerProcess } from "../tools/server-process.ts";

const TOOLS = join(import.meta.dirname, "../../.cache/client-generators");
const present = existsSync(join(TOOLS, "installed"));
if (!present) console.warn("generated clients are not tested: `make client-generators` installs their generators");

const GROUP = `import { group } from "../vocabulary.ts";
export const workshop = group({ name: "workshop.example.com", versions: ["v1"] });
`;
const TOOL = `import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Int32, kind, type Minimum, type Pattern } from "../../vocabulary.ts";

/** A tool of the workshop. */
export interface Tool extends Namespaced {
  /** Desired state of the tool. */
  spec: ToolSpec;
}

/** What the tool is like. */
export interface ToolSpec {
  /** Code that is printed on its label. */
  code: string & Pattern<"^[A-Z]{2}[0-9]+$">;
  /** Places where it is kept. */
  places?: string[];
  /** Weight of the tool in grams. */
  weight: Int32 & Minimum<1>;
}

export const tool = kind<Tool>({ plural: "tools" });
`;

type Tool = { metadata: { name: string }; spec: { code: string; weight: number } };
type Answer = { data?: unknown; error?: unknown };
/** Operations of a generated client. */
interface Client {
  create(namespace: string, tool: Tool): Promise<Answer>;
  list(namespace: string): Promise<Answer>;
  remove(namespace: string, name: string): Promise<Answer>;
}

/** Sends the requests that a generated client passes to `fetch` as administrator, with their own content type. */
function fetchThrough(client: AdminClient): typeof fetch {
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(String(input), "https://plane"), init);
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const type = request.headers.get("content-type") ?? undefined;
    const body = text === "" ? undefined : (JSON.parse(text) as object);
    const answer = await client.request(request.method, pathname + search, body, type);
    const headers = { "content-type": "application/json" };
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
  };
}

describe.runIf(present)("clients generated from the OpenAPI document of an own kind", () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-clients-"));
  /** In a folder below the generators, so that clients find the packages that they import. */
  const clients = present ? mkdtempSync(join(TOOLS, "clients-")) : "";
  let project: ProjectCopy;
  let server: ServerProcess;

  beforeAll(async () => {
    project = new ProjectCopy();
    project.write("api-definitions/workshop/group.ts", GROUP);
    project.write("api-definitions/workshop/v1/tool.ts", TOOL);
    project.generate("--publish-openapi", join(directory, "openapi"), "--groups", "workshop.example.com");
    const document = join(directory, "openapi/v3/apis/workshop.example.com/v1.json");
    const generate = (tool: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, [join(TOOLS, "node_modules/.bin", tool), ...args], { cwd: clients });
    [server] = await Promise.all([
      ServerProcess.started({ directory, flags: ["--controllers=false"], launcher: project.launcher }),
      generate("openapi-typescript", document, "--output", join(clients, "schema.ts")),
      generate("openapi-ts", "-i", document, "-o", join(clients, "hey-api"), "-c", "@hey-api/client-fetch"),
      generate("orval", "--input", document, "--output", join(clients, "orval.ts"), "--client", "fetch"),
    ]);
    while ((await server.client.request("GET", "/api/v1/namespaces/default")).status !== 200) await setTimeout(50);
    vi.stubGlobal("fetch", fetchThrough(server.client));
  });

  afterAll(async () => {
    vi.unstubAllGlobals();
    await server?.stop();
    project?.remove();
    for (const folder of [directory, clients]) if (folder !== "") rmSync(folder, { recursive: true, force: true });
  });

  const load = (path: string) => import(/* @vite-ignore */ join(TOOLS, path));
  const own = (path: string) => load(join(clients.slice(TOOLS.length), path));
  const PATH = "/apis/workshop.example.com/v1/namespaces/{namespace}/tools";

  const makers: [string, () => Promise<Client>][] = [
    [
      "openapi-typescript and openapi-fetch",
      async () => {
        const { default: createClient } = await load("node_modules/openapi-fetch/dist/index.mjs");
        const client = createClient({ baseUrl: "https://plane", fetch: globalThis.fetch });
        return {
          create: (namespace, body) => client.POST(PATH, { params: { path: { namespace } }, body }),
          list: (namespace) => client.GET(PATH, { params: { path: { namespace } } }),
          remove: (namespace, name) => client.DELETE(`${PATH}/{name}`, { params: { path: { namespace, name } } }),
        };
      },
    ],
    [
      "@hey-api/openapi-ts",
      async () => {
        const sdk = await own("hey-api/sdk.gen.ts");
        const { client } = await own("hey-api/client.gen.ts");
        client.setConfig({ baseUrl: "https://plane", fetch: globalThis.fetch });
        return {
          create: (namespace, body) => sdk.createWorkshopExampleComV1NamespacedTool({ path: { namespace }, body }),
          list: (namespace) => sdk.listWorkshopExampleComV1NamespacedTool({ path: { namespace } }),
          remove: (namespace, name) => sdk.deleteWorkshopExampleComV1NamespacedTool({ path: { namespace, name } }),
        };
      },
    ],
    [
      "orval",
      async () => {
        const sdk = await own("orval.ts");
        return {
          create: (namespace, body) => sdk.createWorkshopExampleComV1NamespacedTool(namespace, body),
          list: (namespace) => sdk.listWorkshopExampleComV1NamespacedTool(namespace),
          remove: (namespace, name) => sdk.deleteWorkshopExampleComV1NamespacedTool(namespace, name, {}),
        };
      },
    ],
  ];

  it.each(makers)("by %s create, list and delete objects", async (_, make) => {
    const client = await make();
    const tool = { metadata: { name: "saw" }, spec: { code: "SW1", weight: 700 } };
    expect((await client.create("default", tool)).data).toMatchObject({ kind: "Tool", ...tool });
    expect((await client.list("default")).data).toMatchObject({ items: [tool] });
    expect((await client.remove("default", "saw")).data).toMatchObject({ kind: "Status", status: "Success" });
    expect((await client.list("default")).data).toMatchObject({ items: [] });
  });

  it("compile against the types that openapi-typescript writes", async () => {
    const tsc = join(import.meta.dirname, "../../node_modules/typescript-native/bin/tsc");
    project.write(
      "use.ts",
      `import type { components } from "${join(clients, "schema.ts")}";
type Tool = components["schemas"]["com.example.workshop.v1.Tool"];
export const saw: Tool = { spec: { code: "SW1", weight: 700 } };
// @ts-expect-error the code is required: it has no default
export const unnamed: Tool = { spec: { weight: 700 } };
`,
    );
    const options = ["--noEmit", "--ignoreConfig", "--strict", "--skipLibCheck", "--module", "nodenext"];
    const command = [tsc, ...options, "--allowImportingTsExtensions", join(project.directory, "use.ts")];
    const output = await promisify(execFile)(process.execPath, command).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(output).toBe("");
  });
});
