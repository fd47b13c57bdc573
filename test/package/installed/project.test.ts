import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Kubectl } from "../../tools/kubectl.ts";
import { ServerProcess } from "../../tools/server-process.ts";
import { findTool, skipMessage } from "../../tools/tools.ts";
import { install } from "../installed-package.ts";
import { BOOK, installProject, projectNode, withField, write } from "./install-project.ts";

const { home, tarball, project, launcher, node, typeplane } = installProject();
const kubectlPath = findTool("kubectl");

describe("a project that uses the installed package", () => {
  it("generates the project that init made, which is up to date afterwards", () => {
    expect(typeplane("generate")).toMatchObject({ status: 0, err: expect.not.stringContaining("error") });
    expect(typeplane("check")).toMatchObject({ status: 0 });
    expect(typeplane("openapi", "--groups=own").out).toContain("1 OpenAPI document in dist/openapi");
    const document = readFileSync(join(project, "dist/openapi/v3/apis/library.example.com/v1.json"), "utf8");
    expect(document).toContain("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  });

  it("has declarations that a strict compiler accepts", () => {
    write(
      project,
      "api-definitions/library/v1/book.hooks.ts",
      `import { invalidField, kindHooks } from "typeplane/hooks";
import { node } from "typeplane/kubernetes/core/v1";
import type { Book } from "./book.ts";

export const hooks = kindHooks<Book, typeof node>({
  reads: [node],
  async validate({ spec }, { read }) {
    const nodes = await read(node).list();
    return spec.title === "forbidden" ? [invalidField("spec.title", spec.title, \`with \${nodes.length} nodes\`)] : [];
  },
});
`,
    );
    expect(typeplane("generate")).toMatchObject({ status: 0 });
    const { status, out } = node(project, join(project, "node_modules/typescript/bin/tsc"));
    expect({ status, out }).toEqual({ status: 0, out: "" });
  });

  it("writes the roles that the controllers of the project need, and does not start them", () => {
    const { status, out } = typeplane("roles", "--namespace=books", "--leader-election", "--out=-");
    expect(status).toBe(0);
    expect(out).toContain("kind: ServiceAccount\nmetadata:\n  name: my-api\n  namespace: books\n");
    expect(out).toMatch(
      /- library\.example\.com\n\s+resources:\n\s+- books\n\s+verbs:\n\s+- get\n\s+- list\n\s+- watch\n/,
    );
    expect(out).toMatch(/kind: Role\nmetadata:\n {2}name: my-api-leader-election\n/);
  });

  it("runs the tests of the project", () => {
    const { status, out } = node(project, "--test", "--test-reporter=tap");
    expect(out).toContain("# pass 2");
    expect(status).toBe(0);
  });

  it.skipIf(kubectlPath === undefined)("serves the project to kubectl, with its hooks in TypeScript", async () => {
    const directory = join(home, "server");
    mkdirSync(directory);
    const server = await ServerProcess.started({ directory, launcher, cwd: project, node: projectNode });
    try {
      const kubectl = new Kubectl({ binary: kubectlPath as string, kubeconfig: server.kubeconfig, home });
      const book = (name: string, title: string) =>
        kubectl.given(
          JSON.stringify({
            apiVersion: "library.example.com/v1",
            kind: "Book",
            metadata: { name },
            spec: { title },
          }),
        );
      expect(await book("first", "First").ok("apply --server-side -f -")).toContain("serverside-applied");
      expect(await book("second", "forbidden").fails("apply --server-side -f -")).toContain("with 0 nodes");
      expect(await kubectl.ok("get books")).toMatch(/first\s+First/);
      expect(await kubectl.ok("explain book.spec.title")).toContain("Title that is shown to people");
      expect(await kubectl.ok("get deployments")).toBe("");
    } finally {
      await server.stop();
    }
  });

  it("lets a second team use a type of the first, and serves the kinds of both", () => {
    const second = join(home, "shelf-api");
    write(second, "package.json", readFileSync(join(project, "package.json"), "utf8").replace("my-api", "shelf-api"));
    write(
      second,
      "typeplane.config.ts",
      `import { defineConfig } from "typeplane/vocabulary";
export default defineConfig({ name: "shelf-api", domain: "example.org", base: "core" });
`,
    );
    write(
      second,
      "api-definitions/shelves/group.ts",
      `import { group } from "typeplane/vocabulary";
/** Shelves of libraries. */
export const shelves = group({ name: "shelves.<domain>", versions: ["v1"] });
`,
    );
    write(
      second,
      "api-definitions/shelves/v1/shelf.ts",
      `import type { BookSpec } from "my-api/api-definitions/library/v1/book.ts";
import type { PodTemplateSpec } from "typeplane/kubernetes/core/v1";
import type { Namespaced } from "typeplane/meta/v1";
import { kind } from "typeplane/vocabulary";

/** A shelf that holds the books of a library. */
export interface Shelf extends Namespaced {
  /** The book that visitors see first on this shelf. */
  favourite: BookSpec;
  /** Template of the pod that keeps the shelf tidy. */
  keeper?: PodTemplateSpec;
}

export const shelf = kind<Shelf>({ plural: "shelves" });
`,
    );
    install(second, tarball());
    symlinkSync(project, join(second, "node_modules/my-api"));
    const secondLauncher = join(second, "node_modules/typeplane/bin/typeplane.js");
    const generated = node(second, secondLauncher, "generate");
    expect(generated).toMatchObject({ status: 0, err: expect.not.stringContaining("error") });
    write(
      second,
      "start.ts",
      `import { startPlane } from "typeplane";
import { registry } from "./generated/registry.ts";
const plane = await startPlane({ kinds: registry, listen: false });
await plane.ready;
const headers = { "Content-Type": "application/json" };
const body = JSON.stringify({
  apiVersion: "shelves.example.org/v1",
  kind: "Shelf",
  metadata: { name: "one" },
  favourite: { title: "Dune" },
});
const path = "/apis/shelves.example.org/v1/namespaces/default/shelves";
const created = await plane.fetch(path, { method: "POST", headers, body });
const { favourite } = (await created.json()) as { favourite: object };
const books = await plane.fetch("/apis/library.example.com/v1/books");
const pods = await plane.fetch("/api/v1/pods");
process.stdout.write(JSON.stringify([created.status, favourite, books.status, pods.status]));
await plane.stop();
`,
    );
    const { out, err } = node(second, "start.ts");
    expect(out, err).toBe('[201,{"title":"Dune","size":10,"priority":"Low"},200,404]');
    // A copy instead of a link: commands run its TypeScript all the same.
    rmSync(join(second, "node_modules/my-api"));
    for (const part of ["api-definitions", "generated", "package.json"])
      cpSync(join(project, part), join(second, "node_modules/my-api", part), { recursive: true });
    const book = "apiVersion: library.example.com/v1\nkind: Book\nmetadata:\n  name: one\nspec:\n  title: Dune\n";
    write(second, "book.yaml", book);
    const removals = node(second, secondLauncher, "removals", "-f", "book.yaml", "--target-release", "1.33");
    expect(removals).toMatchObject({ status: 0, err: expect.not.stringContaining("Error") });
  });

  it.skipIf(kubectlPath === undefined)(
    "serves an edit without a restart, and says what is wrong with another",
    async () => {
      const kubeconfig = join(home, "dev-kubeconfig");
      const flags = ["--secure-port=0", "--data-dir=memory", "--cert-dir=memory", `--kubeconfig-out=${kubeconfig}`];
      const dev = spawn(projectNode, [launcher, "dev", ...flags], { cwd: project });
      let printed = "";
      for (const stream of [dev.stdout, dev.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          printed += text;
        });
      /** Waits for this output and discards the output until then. */
      const prints = async (pattern: RegExp): Promise<void> => {
        await expect.poll(() => printed, { timeout: 240_000 }).toMatch(pattern);
        const found = pattern.exec(printed) as RegExpExecArray;
        printed = printed.slice(found.index + found[0].length);
      };
      const original = readFileSync(join(project, BOOK), "utf8");
      try {
        await prints(/watching api-definitions/);
        const kubectl = new Kubectl({ binary: kubectlPath as string, kubeconfig, home });
        const book = {
          apiVersion: "library.example.com/v1",
          kind: "Book",
          metadata: { name: "one" },
          spec: { title: "One" },
        };
        await kubectl.given(JSON.stringify(book)).ok("create -f -");
        write(project, BOOK, withField(original, "shelf?: string"));
        await prints(/now served: library\.example\.com\/v1 Book \(\d+ ms\)\n/);
        await kubectl.ok("patch book one --type=merge -p", '{"spec":{"shelf":"A1"}}');
        expect(await kubectl.ok("get book one -o jsonpath={.spec.shelf}")).toBe("A1");
        write(project, BOOK, withField(original, "shelf?: strng"));
        await prints(/book\.ts:\d+:\d+ error unknown-type.*did you mean string\?.*still served/s);
        write(project, BOOK, withField(original, "row: string"));
        await prints(/\n0 errors\nnow served: library\.example\.com\/v1 Book/);
        await prints(/Book default\/one: unknown field "spec\.shelf"; spec\.row: Required value\n/);
        write(project, BOOK, original);
        await prints(/now served/);
      } finally {
        write(project, BOOK, original);
        dev.kill("SIGTERM");
        if (dev.exitCode === null) await once(dev, "close");
      }
    },
  );
});

if (kubectlPath === undefined) process.stderr.write(`serving to kubectl is ${skipMessage("kubectl")}\n`);
