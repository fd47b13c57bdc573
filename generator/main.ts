#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keepCompiledCode, runGenerator } from "./run-generator.ts";

const USAGE = `Turns api-definitions/ into generated/.

  main.ts                          generate what changed
  main.ts --check                  exit 1 if generated/ is not up to date
  main.ts --publish-openapi DIR    write the OpenAPI documents to DIR, in place of what is there
                                   (--groups library.example.com,apps/v1,core: only those; own: those not of Kubernetes)
  main.ts --release-snapshot       record the API as released: later incompatible changes are errors
                                   (--replace records it although it breaks the rules of the last release)
  main.ts api-diff BASE            describe in sentences how the API changed since a git revision
  main.ts docs [--out DIR] [--groups NAMES] [--reference-only] [--markdown]
                                   write the documentation site to DIR (default: dist/docs). --groups limits the reference to some
                                   groups (own: those that are not part of Kubernetes), --reference-only leaves out guides and
                                   markers, --markdown writes Markdown and does not build
  main.ts scaffold GROUP/VERSION KIND
                                   create the definition of a new kind: scaffold library.example.com/v1 Book

  --root DIR    directory of the project (default: the one that contains this generator)
  --force       generate even if nothing changed, and read every definition again
  --help        this text
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "") },
      check: { type: "boolean", default: false },
      force: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      "publish-openapi": { type: "string" },
      "release-snapshot": { type: "boolean", default: false },
      replace: { type: "boolean", default: false },
      out: { type: "string", default: "dist/docs" },
      groups: { type: "string" },
      "reference-only": { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  keepCompiledCode(values.root);
  if (positionals[0] === "scaffold") {
    const { scaffold } = await import("./scaffold/scaffold.ts");
    return scaffold(values.root, positionals[1], positionals[2]);
  }
  if (positionals[0] === "api-diff") {
    const { apiDiff } = await import("./evolution/api-diff.ts");
    return apiDiff(values.root, positionals[1]);
  }
  if (positionals[0] === "docs") {
    const { writeDocs } = await import("./docs/write-docs.ts");
    const { root, out, groups, "reference-only": referenceOnly, markdown: markdownOnly } = values;
    return writeDocs({ root, out, ...(groups !== undefined && { groups }), referenceOnly, markdownOnly });
  }
  if (values["release-snapshot"]) {
    const { releaseSnapshot } = await import("./evolution/api-diff.ts");
    return releaseSnapshot(values.root, values.replace);
  }
  if (positionals.length > 0) {
    process.stderr.write(`unknown command ${positionals[0]}\n\n${USAGE}`);
    return 2;
  }
  const status = await runGenerator(values);
  const target = values["publish-openapi"];
  if (status === 0 && target !== undefined) {
    const { publishOpenApi } = await import("./publish-openapi.ts");
    const groups = (values.groups ?? "").split(/[,\s]+/).filter((name) => name !== "");
    const { written, problem } = await publishOpenApi(values.root, target, groups);
    if (problem !== undefined) {
      process.stderr.write(`${problem}\n`);
      return 1;
    }
    process.stdout.write(`${written} OpenAPI documents in ${target}\n`);
  }
  return status;
}

process.exitCode = await main();
