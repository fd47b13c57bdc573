import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "../../runtime/cli/command-flags.ts";
import { UsageError } from "../../runtime/cli/usage-error.ts";
import type { Command } from "../command.ts";
import { projectFiles } from "./project-files.ts";

const FLAGS: readonly CommandFlag[] = [
  { name: "domain", type: "text", help: "Domain of the groups of the project. Defaults to example.com." },
  {
    name: "kind",
    type: "text",
    help: "First kind: GROUP/VERSION/KIND, where GROUP is a subdomain of --domain. Defaults to library/v1/Book.",
  },
  { name: "controllers", type: "switch", help: "Add a controller to start from, in controllers/." },
  {
    name: "package",
    type: "text",
    help: "Version or file of this package in the project's package.json. Defaults to the version that runs.",
  },
];

const FIRST_KIND = /^[a-z0-9][-.a-z0-9]*\/v\d+(?:(?:alpha|beta)\d+)?\/[A-Z][A-Za-z0-9]*$/;

export const init: Command = {
  usage: `typeplane init NAME

Creates a project in the folder NAME: definitions of a first kind, a test that starts a server, and the npm scripts serve and test. The
folder may exist, but must not contain any of these files.

${describeCommandFlags(FLAGS)}
`,
  async run([target = "", ...args], { streams }) {
    if (target === "" || target.startsWith("-"))
      throw new UsageError("name the folder of the project: typeplane init my-api");
    const flags = readCommandFlags(args, FLAGS);
    const root = resolve(target);
    const name = basename(root);
    if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name))
      throw new UsageError(`${name} cannot be the name of a project: use lower-case letters, digits and dashes`);
    const domain = flags.text("domain") ?? "example.com";
    const firstKind = flags.text("kind") ?? "library/v1/Book";
    if (!FIRST_KIND.test(firstKind))
      throw new UsageError(`--kind=${firstKind}: write GROUP/VERSION/KIND, such as library/v1/Book`);
    const [group = "", version = "", kind = ""] = firstKind.split("/");
    const fullGroup = group.includes(".") ? group : `${group}.${domain}`;
    const [{ scaffold, definitionNames }, { foreignFolders }] = await Promise.all([
      import("../../generator/scaffold/scaffold.ts"),
      import("../../runtime/cli/load-registry.ts"),
    ]);
    const reserved = foreignFolders(root);
    const names = await definitionNames(root, fullGroup, kind, reserved);
    const manifest = readManifest();
    const files =
      names &&
      projectFiles({
        name,
        domain,
        group: fullGroup,
        version,
        kind,
        names,
        controllers: flags.isOn("controllers"),
        packageSpec: flags.text("package") ?? `^${manifest.version}`,
        versions: { ...manifest.dependencies, ...manifest.peerDependencies },
      });
    const present = Object.keys(files ?? {}).find((path) => existsSync(join(root, path)));
    if (present !== undefined) throw new UsageError(`${join(target, present)} exists already`);
    mkdirSync(root, { recursive: true });
    const status = await scaffold(root, `${fullGroup}/${version}/${kind}`, undefined, { reserved, quiet: true });
    if (status !== 0 || files === undefined) return status;
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      streams.out(`wrote ${path}\n`);
    }
    streams.out(
      `\n  cd ${target} && npm install\n  npm run serve    # generate and start a server\n  npm test         # generate and test\n`,
    );
    return 0;
  },
};

interface PackageManifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as PackageManifest;
}
