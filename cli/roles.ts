import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "../runtime/cli/command-flags.ts";
import { UsageError } from "../runtime/cli/usage-error.ts";
import { LEASES, mergePermissions, type Permission } from "../runtime/controller/permissions.ts";
import { stringifyYaml } from "../runtime/encoding/yaml/stringify-yaml.ts";
import type { Command } from "./command.ts";
import { rootOf } from "./root-of.ts";

const FLAGS: readonly CommandFlag[] = [
  {
    name: "out",
    short: "o",
    type: "text",
    help: "File of the manifests; - is standard output. Defaults to dist/roles.yaml.",
  },
  {
    name: "name",
    type: "text",
    help: "Name of the ServiceAccount and the roles. Defaults to the name of the project.",
  },
  { name: "namespace", short: "n", type: "text", help: "Namespace of the ServiceAccount. Defaults to default." },
  {
    name: "watch-namespace",
    type: "text",
    help: "Restrict the controllers to this namespace: write a Role in it instead of a ClusterRole.",
  },
  { name: "leader-election", type: "switch", help: "Add a Role for the Lease of leader election, in the namespace." },
];

const USAGE = `typeplane roles

Writes a ServiceAccount with the permissions that the controllers of the project need: a ClusterRole and its binding. Each module in
controllers/ exports its controllers, the results of \`controller(…).reconcile(…)\`; main.ts, which starts them, is not loaded.

${describeCommandFlags(FLAGS)}
`;

/** Modules that start controllers and export none. */
const MAIN = /^main\.[cm]?[jt]s$/;
const MODULE = /(?<!\.d|\.test)\.[cm]?[jt]s$/;
const RBAC = "rbac.authorization.k8s.io";

export const roles: Command = {
  usage: USAGE,
  async run(args, context) {
    const flags = readCommandFlags(args, FLAGS);
    const root = rootOf(context);
    const { out, err } = context.streams;
    const found = await readControllers(join(root, "controllers"));
    if (found.length === 0) {
      err(
        "there are no controllers: no module in controllers/ exports one, as `export const books = controller(book).reconcile(…)`\n",
      );
      return 1;
    }
    const text = manifests({
      name: flags.text("name") ?? nameOf(root),
      namespace: flags.text("namespace") ?? "default",
      watched: flags.text("watch-namespace"),
      permissions: mergePermissions(found.flatMap(({ permissions }) => permissions)),
      elects: flags.isOn("leader-election"),
    })
      .map((manifest) => stringifyYaml(manifest))
      .join("---\n");
    const target = flags.text("out") ?? "dist/roles.yaml";
    if (target === "-") {
      out(text);
      return 0;
    }
    const path = resolve(target);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    out(`roles of ${found.map(({ name }) => name).join(", ")} in ${path}\n`);
    return 0;
  },
};

interface Described {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** Returns the controllers that the modules of a folder export, individually or in lists. */
async function readControllers(folder: string): Promise<readonly Described[]> {
  if (!existsSync(folder))
    throw new UsageError(`${folder} does not exist: roles are written for the controllers that its modules export`);
  const files = readdirSync(folder).filter((name) => MODULE.test(name) && !MAIN.test(name));
  const found = new Set<Described>();
  for (const file of files.sort()) {
    const exported = (await import(pathToFileURL(join(folder, file)).href)) as Readonly<Record<string, unknown>>;
    for (const each of Object.values(exported).flat()) if (isController(each)) found.add(each);
  }
  return [...found];
}

function isController(value: unknown): value is Described {
  const { name, permissions, reconcile } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && Array.isArray(permissions) && typeof reconcile === "function";
}

function nameOf(root: string): string {
  const file = join(root, "package.json");
  const { name } = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { readonly name?: string }) : {};
  return (name ?? basename(root)).replace(/^@[^/]*\//, "");
}

interface RolesParts {
  readonly name: string;
  readonly namespace: string;
  readonly watched: string | undefined;
  readonly permissions: readonly Permission[];
  readonly elects: boolean;
}

function manifests({ name, namespace, watched, permissions, elects }: RolesParts): object[] {
  const lease = `${name}-leader-election`;
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
    ...roleWithBinding({ name, namespace: watched, permissions }, { name, namespace }),
    ...(elects ? roleWithBinding({ name: lease, namespace, permissions: [LEASES] }, { name, namespace }) : []),
  ];
}

function roleWithBinding(
  {
    name,
    namespace,
    permissions,
  }: Pick<RolesParts, "name" | "permissions"> & { readonly namespace: string | undefined },
  account: { readonly name: string; readonly namespace: string },
): object[] {
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return [
    { apiVersion: `${RBAC}/v1`, kind, metadata, rules: rulesOf(permissions) },
    {
      apiVersion: `${RBAC}/v1`,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind, name },
      subjects: [{ kind: "ServiceAccount", ...account }],
    },
  ];
}

/** Returns one rule per group for resources with the same verbs. */
function rulesOf(permissions: readonly Permission[]): object[] {
  const same = Map.groupBy(permissions, ({ group, verbs }) => `${group} ${verbs.join()}`);
  return [...same.values()].map((those) => ({
    apiGroups: [those[0]?.group ?? ""],
    resources: those.map(({ resource }) => resource),
    verbs: [...(those[0]?.verbs ?? [])],
  }));
}
