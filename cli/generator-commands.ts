import { countOf } from "../generator/count-of.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "../runtime/cli/command-flags.ts";
import { isClone } from "../runtime/cli/find-project.ts";
import type { Command, CommandContext } from "./command.ts";
import { rootOf } from "./root-of.ts";

/** Commands that read the definitions of a project. They load the generator when they run. */

const GENERATE_FLAGS: readonly CommandFlag[] = [
  { name: "force", type: "switch", help: "Generate even if nothing changed, and read every definition again." },
];

export const generate: Command = {
  usage: `typeplane generate

Generates generated/ from api-definitions/ and typeplane.config.ts. Only files that differ are written.

${describeCommandFlags(GENERATE_FLAGS)}
`,
  async run(args, context) {
    const flags = readCommandFlags(args, GENERATE_FLAGS);
    const { runGenerator } = await loadGenerator(context);
    return runGenerator({ root: rootOf(context), check: false, force: flags.isOn("force") });
  },
};

export const check: Command = {
  usage: `typeplane check

Checks the definitions. The exit status is 1 if they have errors, or if generated/ is out of date.
`,
  async run(args, context) {
    readCommandFlags(args, []);
    const { runGenerator } = await loadGenerator(context);
    return runGenerator({ root: rootOf(context), check: true, force: false });
  },
};

export const dev: Command = {
  usage: `typeplane dev

Serves the project and watches api-definitions/ and typeplane.config.ts. A change is generated and served without a restart; connections and
stored objects are kept. Errors in definitions are printed with file, line and column, and the server continues to serve the last definitions
without errors. Accepts the flags of \`typeplane serve\`.
`,
  serves: true,
  async run(args, context) {
    await loadGenerator(context);
    const { runDev } = await import("./dev/dev.ts");
    return runDev(args, context.streams, rootOf(context));
  },
};

const OPENAPI_FLAGS: readonly CommandFlag[] = [
  {
    name: "out",
    short: "o",
    type: "text",
    help: "Folder of the documents, which is replaced. Defaults to dist/openapi.",
  },
  {
    name: "groups",
    type: "text",
    help: "Groups to write, comma-separated: library.example.com, apps/v1, core. own means all groups that are not part of Kubernetes.",
  },
];

export const openapi: Command = {
  usage: `typeplane openapi

Generates changed definitions, then writes the OpenAPI documents of all groups, version 2 and version 3. They describe every version ever
defined.

${describeCommandFlags(OPENAPI_FLAGS)}
`,
  async run(args, context) {
    const flags = readCommandFlags(args, OPENAPI_FLAGS);
    const root = rootOf(context);
    const { runGenerator } = await loadGenerator(context);
    const status = await runGenerator({ root, check: false, force: false });
    if (status !== 0) return status;
    const target = flags.text("out") ?? "dist/openapi";
    const { publishOpenApi } = await import("../generator/publish-openapi.ts");
    const groups = (flags.text("groups") ?? "").split(/[,\s]+/).filter((name) => name !== "");
    // OpenAPI documents of a project refer to types of Kubernetes, which are not among its own generated files.
    const registry = isClone(root) ? undefined : await context.registry();
    const { written, problem } = await publishOpenApi(root, target, groups, registry);
    if (problem !== undefined) {
      context.streams.err(`${problem}\n`);
      return 1;
    }
    context.streams.out(`${countOf(written, "OpenAPI document")} in ${target}\n`);
    return 0;
  },
};

export const scaffold: Command = {
  usage: `typeplane scaffold GROUP/VERSION/KIND

Creates the definition of a new kind in api-definitions/, and its group if it is new: typeplane scaffold library.example.com/v1/Book.
If the kind exists in another version, its newest version is copied.
`,
  async run(args, context) {
    const { scaffold: write } = await import("../generator/scaffold/scaffold.ts");
    const { foreignFolders } = await import("../runtime/cli/load-registry.ts");
    const root = rootOf(context);
    return write(root, args[0], args[1], { reserved: foreignFolders(root) });
  },
};

export const apiDiff: Command = {
  usage: `typeplane api-diff REVISION

Describes in sentences how the API changed since a git revision.
`,
  async run(args, context) {
    await loadGenerator(context);
    const { apiDiff: compare } = await import("../generator/evolution/api-diff.ts");
    return compare(rootOf(context), args[0]);
  },
};

const SNAPSHOT_FLAGS: readonly CommandFlag[] = [
  {
    name: "replace",
    type: "switch",
    help: "Record the API even if it breaks the compatibility rules of the last release.",
  },
];

export const releaseSnapshot: Command = {
  usage: `typeplane release-snapshot

Records the API as released in api-definitions/released-api.json: later incompatible changes are errors.

${describeCommandFlags(SNAPSHOT_FLAGS)}
`,
  async run(args, context) {
    const flags = readCommandFlags(args, SNAPSHOT_FLAGS);
    await loadGenerator(context);
    const { releaseSnapshot: record } = await import("../generator/evolution/api-diff.ts");
    return record(rootOf(context), flags.isOn("replace"));
  },
};

const DOCS_FLAGS: readonly CommandFlag[] = [
  { name: "out", short: "o", type: "text", help: "Folder of the site. Defaults to dist/docs." },
  {
    name: "groups",
    type: "text",
    help: "Groups to describe, comma-separated. Defaults to own: the groups that are not part of Kubernetes.",
  },
  { name: "everything", type: "switch", help: "Describe all groups and markers, with the guides of the project." },
  { name: "markdown", type: "switch", help: "Write the pages as Markdown and do not build the site." },
];

export const docs: Command = {
  usage: `typeplane docs

Writes the reference of your kinds as static pages with search: a page for each kind and version with its fields, defaults, allowed
values, columns, lifecycle and an example. Examples come from api-definitions/<group>/examples.yaml; a kind without one shows its
required fields. The site is built by VitePress, which must be installed in the project.

${describeCommandFlags(DOCS_FLAGS)}
`,
  async run(args, context) {
    const flags = readCommandFlags(args, DOCS_FLAGS);
    await loadGenerator(context);
    const { writeDocs } = await import("../generator/docs/write-docs.ts");
    const everything = flags.isOn("everything");
    const groups = flags.text("groups") ?? (everything ? undefined : "own");
    return writeDocs({
      root: rootOf(context),
      out: flags.text("out") ?? "dist/docs",
      ...(groups !== undefined && { groups }),
      referenceOnly: !everything,
      markdownOnly: flags.isOn("markdown"),
    });
  },
};

async function loadGenerator(context: CommandContext): Promise<typeof import("../generator/run-generator.ts")> {
  const root = rootOf(context);
  const generator = await import("../generator/run-generator.ts");
  generator.keepCompiledCode(root);
  return generator;
}
