import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type CommandFlag, describeCommandFlags, readCommandFlags } from "./command-flags.ts";

const FLAGS: readonly CommandFlag[] = [
  { name: "out", short: "o", type: "text", help: "Folder of the site. Defaults to dist/docs." },
  {
    name: "groups",
    type: "text",
    help: "Groups to describe, comma-separated. Defaults to own: the groups that are not part of Kubernetes.",
  },
  { name: "markdown", type: "switch", help: "Write the pages as Markdown and do not build the site." },
];

export const DOCS_USAGE = `typeplane docs

Writes the reference of your kinds as static pages with search: a page for each kind and version with its fields, defaults, allowed
values, columns, lifecycle and an example. Examples come from api-definitions/<group>/examples.yaml; a kind without one shows its
required fields. The site is built by VitePress, which must be installed in the project.

${describeCommandFlags(FLAGS)}
`;

/** Starts the generator in a process of its own: the server's code never loads it. Resolves with the exit status. */
export async function docsCommand(args: readonly string[]): Promise<number> {
  const flags = readCommandFlags(args, FLAGS);
  const generator = fileURLToPath(new URL("../../generator/main.ts", import.meta.url));
  const command = [
    "--disable-warning=ExperimentalWarning",
    generator,
    "docs",
    "--reference-only",
    `--groups=${flags.text("groups") ?? "own"}`,
    `--out=${flags.text("out") ?? "dist/docs"}`,
    ...(flags.isOn("markdown") ? ["--markdown"] : []),
  ];
  const child = spawn(process.execPath, command, { stdio: "inherit" });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (status) => done(status ?? 1));
  });
}
