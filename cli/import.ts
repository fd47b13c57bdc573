import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ForeignDefinition } from "../generator/crds/import/import-definitions.ts";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "../runtime/cli/command-flags.ts";
import { UsageError } from "../runtime/cli/usage-error.ts";
import { withoutFloatLiterals } from "../runtime/lib/float-literal.ts";
import type { Command } from "./command.ts";
import { rootOf } from "./root-of.ts";

const FLAGS: readonly CommandFlag[] = [
  {
    name: "filename",
    short: "f",
    type: "list",
    help: "File or folder with CustomResourceDefinitions; - is standard input.",
  },
  { name: "out", short: "o", type: "text", help: "Folder of the definitions. Defaults to api-definitions." },
  { name: "replace", type: "switch", help: "Replace files that exist." },
];

/** Maximum number of differences that are shown. */
const SHOWN = 20;

export const importCommand: Command = {
  usage: `typeplane import -f FILE

Writes definitions in TypeScript from CustomResourceDefinitions (apiextensions.k8s.io/v1): interfaces with markers, kinds and their
versions. To check them, it compares the CustomResourceDefinitions that \`typeplane crds\` would write with the input, and prints differences.

${describeCommandFlags(FLAGS)}
`,
  async run(args, context) {
    const flags = readCommandFlags(args, FLAGS);
    const { out, err, stdin } = context.streams;
    const paths = flags.list("filename");
    if (paths.length === 0) throw new UsageError("name files or folders with -f");
    const root = rootOf(context);
    const { readManifests } = await import("../runtime/manifests/read-manifests.ts");
    const manifests = readManifests({ paths, stdin });
    const problems = manifests.flatMap(({ file, line, problem }) =>
      problem === undefined ? [] : [`${file}:${line}: ${problem}`],
    );
    for (const problem of problems) err(`${problem}\n`);
    if (problems.length > 0) return 1;
    const objects = manifests.flatMap(({ document }) => document?.objects.map(({ value }) => value) ?? []);
    const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
    const older = definitions.filter(({ apiVersion }) => apiVersion !== "apiextensions.k8s.io/v1");
    for (const { apiVersion } of older)
      err(`note: a definition of ${apiVersion} is skipped; convert it with \`typeplane convert\`\n`);
    const known = definitions.filter((one) => !older.includes(one));
    const foreign = known.map((one) => withoutFloatLiterals(one)) as unknown as ForeignDefinition[];
    if (foreign.length === 0) {
      err("there are no CustomResourceDefinitions in these files\n");
      return 1;
    }
    const { keepCompiledCode } = await import("../generator/run-generator.ts");
    keepCompiledCode(root);
    const { importInto } = await import("../generator/crds/import/check-import.ts");
    const own = resolve(root, "api-definitions");
    const folder = resolve(root, flags.text("out") ?? own);
    const { files, notes, errors, differences } = await importInto(root, foreign, folder !== own);
    const targets = [...files].map(([path, text]) => ({ path: join(folder, relative("api-definitions", path)), text }));
    const taken = targets.filter(({ path }) => existsSync(path));
    if (taken.length > 0 && !flags.isOn("replace")) {
      for (const { path } of taken) err(`${relative(root, path)} exists; --replace replaces it\n`);
      return 1;
    }
    for (const { path, text } of targets) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      out(`wrote ${relative(root, path)}\n`);
    }
    for (const note of notes) err(`note: ${note}\n`);
    for (const error of errors) err(`${error}\n`);
    for (const difference of differences.slice(0, SHOWN)) err(`differs: ${difference}\n`);
    if (differences.length > SHOWN) err(`… and ${differences.length - SHOWN} more differences\n`);
    return errors.length > 0 || differences.length > 0 ? 1 : 0;
  },
};
