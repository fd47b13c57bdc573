import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandContext } from "../../cli/command.ts";
import { roles } from "../../cli/roles.ts";

const project = mkdtempSync(join(tmpdir(), "typeplane-roles-"));
const text = { out: "", err: "" };
const context: CommandContext = {
  project,
  streams: { out: (more: string) => void (text.out += more), err: (more: string) => void (text.err += more) } as never,
  registry: () => Promise.reject(new Error("not needed")),
};

function write(path: string, content: string): void {
  writeFileSync(join(project, path), content);
}

beforeAll(() => {
  mkdirSync(join(project, "controllers"));
  mkdirSync(join(project, "node_modules"));
  symlinkSync(join(import.meta.dirname, "../.."), join(project, "node_modules/typeplane"));
  write("package.json", JSON.stringify({ name: "@shop/library", type: "module" }));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (...args: string[]): Promise<number> => {
  text.out = text.err = "";
  return roles.run(args, context);
};

const TOKENS = `import { controller } from "typeplane/controller";
const token = (group, resource, kind) => ({ group, version: "v1", kind, resource, namespaced: true });
const book = token("library.example.com", "books", "Book");
const configMap = token("", "configmaps", "ConfigMap");
const secret = token("", "secrets", "Secret");
`;

describe("typeplane roles", () => {
  it("says what to export where no controller is found", async () => {
    write("controllers/empty.mjs", "export const nothing = 1;\n");
    expect(await run("--out=-")).toBe(1);
    expect(text.err).toContain("no module in controllers/ exports one");
  });

  it("writes what the controllers of all modules do, once, and leaves main.ts alone", async () => {
    write("controllers/main.mjs", "throw new Error('started');\n");
    write(
      "controllers/books.mjs",
      `${TOKENS}
export const books = controller(book).owns(configMap).finalizer("example.com/books", () => {}).reconcile(() => {});
export const others = [controller(book, { name: "others" }).watches(secret, () => []).reconcile(() => {})];
`,
    );
    expect(await run("--out=-", "--namespace=system")).toBe(0);
    expect(text.out).toMatchInlineSnapshot(`
      "apiVersion: v1
      kind: ServiceAccount
      metadata:
        name: library
        namespace: system
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata:
        name: library
      rules:
      - apiGroups:
        - ""
        resources:
        - configmaps
        verbs:
        - get
        - list
        - watch
        - create
        - update
        - patch
        - delete
      - apiGroups:
        - ""
        resources:
        - secrets
        verbs:
        - get
        - list
        - watch
      - apiGroups:
        - events.k8s.io
        resources:
        - events
        verbs:
        - create
        - patch
      - apiGroups:
        - library.example.com
        resources:
        - books
        verbs:
        - get
        - list
        - watch
        - patch
      - apiGroups:
        - library.example.com
        resources:
        - books/finalizers
        verbs:
        - update
      - apiGroups:
        - library.example.com
        resources:
        - books/status
        verbs:
        - patch
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata:
        name: library
      roleRef:
        apiGroup: rbac.authorization.k8s.io
        kind: ClusterRole
        name: library
      subjects:
      - kind: ServiceAccount
        name: library
        namespace: system
      "
    `);
  });

  it("writes a Role where the controllers work in one namespace", async () => {
    expect(await run(`--out=${join(project, "dist/roles.yaml")}`, "--watch-namespace=shop", "--leader-election")).toBe(
      0,
    );
    expect(text.out).toContain("roles of book-controller, others in ");
    const written = readFileSync(join(project, "dist/roles.yaml"), "utf8");
    expect(
      [...written.matchAll(/^kind: (\w+)\nmetadata:\n {2}name: (\S+)\n {2}namespace: (\S+)$/gm)].map((found) =>
        found.slice(1),
      ),
    ).toEqual([
      ["ServiceAccount", "library", "default"],
      ["Role", "library", "shop"],
      ["RoleBinding", "library", "shop"],
      ["Role", "library-leader-election", "default"],
      ["RoleBinding", "library-leader-election", "default"],
    ]);
  });
});
