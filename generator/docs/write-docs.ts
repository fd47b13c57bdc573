import { spawn } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Diagnostics, renderDiagnostic } from "../diagnostics.ts";
import { loadSourceTree } from "../load-source-tree.ts";
import { buildModel } from "../model/build-model.ts";
import type { Model } from "../model/model.ts";
import { openDefinitionCache } from "../reader/definition-cache.ts";
import { readDefinitions } from "../reader/read-definitions.ts";
import { readProject } from "../reader/read-project.ts";
import type { SourceTree } from "../source-tree.ts";
import { documentPages } from "./document-pages.ts";
import { Examples } from "./examples.ts";
import { markerPages } from "./marker-pages.ts";
import { blocks, type Page } from "./page.ts";
import { referencePages, type SidebarItem } from "./reference-pages.ts";
import { siteFiles } from "./site-config.ts";

export interface DocsOptions {
  readonly root: string;
  /** Folder of the built site. */
  readonly out: string;
  /** Names of groups, comma-separated; `own` stands for those that are not part of Kubernetes. All by default. */
  readonly groups?: string;
  /** Leaves out guides, documents and markers. */
  readonly referenceOnly: boolean;
  /** Writes the Markdown to `out` and does not build. */
  readonly markdownOnly: boolean;
}

const WORK = ".cache/docs";
/** Written by `make generate`. */
const DEFINITIONS = ".cache/definitions.bin";

/** Writes the documentation site of the project. Returns the exit status. */
export async function writeDocs(options: DocsOptions): Promise<number> {
  const { root } = options;
  const tree = await loadSourceTree(root);
  const diagnostics = new Diagnostics();
  const cache = await openDefinitionCache(join(root, DEFINITIONS));
  const files = readDefinitions(tree, diagnostics, cache);
  const model = buildModel(files, tree, diagnostics, readProject(tree, diagnostics));
  if (diagnostics.hasErrors) {
    for (const diagnostic of diagnostics.sorted()) process.stderr.write(`${renderDiagnostic(diagnostic)}\n`);
    return 1;
  }
  const groups = selectGroups(model, options.groups);
  if (typeof groups === "string") {
    process.stderr.write(`${groups}\n`);
    return 2;
  }
  const folder = options.markdownOnly ? resolve(options.out) : join(root, WORK);
  const count = await writePages(options, tree, model, groups, folder);
  process.stdout.write(`${count} pages in ${folder}\n`);
  return options.markdownOnly ? 0 : build(root, folder, resolve(options.out));
}

/** Returns the groups to describe, or an error message. */
function selectGroups(model: Model, wanted: string | undefined): ReadonlySet<string> | string {
  const known = model.groups.map(({ name }) => name);
  if (wanted === undefined) return new Set(known);
  if (wanted === "own") {
    const own = model.groups.filter(({ kubernetes, configuration }) => !kubernetes && !configuration);
    if (own.length === 0) return "all groups are part of Kubernetes; name some of them with --groups";
    return new Set(own.map(({ name }) => name));
  }
  const names = wanted.split(",").map((name) => (name === "core" ? "" : name));
  const unknown = names.filter((name) => !known.includes(name));
  return unknown.length === 0 ? new Set(names) : `--groups: there is no group ${unknown.join(", ")}`;
}

async function writePages(
  options: DocsOptions,
  tree: SourceTree,
  model: Model,
  groups: ReadonlySet<string>,
  folder: string,
): Promise<number> {
  const { root, referenceOnly } = options;
  const examples = await Examples.load(root);
  const reference = referencePages(model, groups, examples);
  const documents = referenceOnly ? undefined : await documentPages(root);
  const markers = referenceOnly ? undefined : markerPages(tree);
  const { name, description } = await readPackage(root);
  const packageTitle = name.charAt(0).toUpperCase() + name.slice(1);
  const { project, vendor } = model;
  // A project without a chosen name has the name of the API vendor, which is not a title for its own kinds.
  const ownTitle = project.name === vendor ? "API reference" : project.title;
  const title = referenceOnly ? ownTitle : packageTitle;
  const tagline = referenceOnly ? "Every kind in every version" : description;
  const home = homePage(title, tagline, documents !== undefined);
  const pages = [home, ...reference.pages, ...(documents?.pages ?? []), ...(markers?.pages ?? [])];
  const nav: SidebarItem[] = [
    ...(documents === undefined ? [] : [{ text: "Guides", link: "/guides/first-kind" }]),
    { text: "Reference", link: "/reference/" },
    ...(markers === undefined ? [] : [{ text: "Markers", link: "/markers/" }]),
  ];
  const sidebars = {
    ...reference.sidebars,
    ...(markers && { "/markers/": markers.sidebar }),
    "/": documents?.sidebar ?? [],
  };
  await rm(folder, { recursive: true, force: true });
  const files = {
    ...Object.fromEntries(pages.map(({ path, title: heading, text }) => [`${path}.md`, withTitle(heading, text)])),
    ...siteFiles({ title, description: tagline, nav, sidebars }),
  };
  await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }),
  );
  for (const { from, to } of documents?.assets ?? []) await cp(join(root, from), join(folder, "public", to));
  return pages.length;
}

function withTitle(title: string, text: string): string {
  return text.startsWith("---\n") ? text : `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}`;
}

async function readPackage(root: string): Promise<{ readonly name: string; readonly description: string }> {
  const text = await readFile(join(root, "package.json"), "utf8").catch(() => "{}");
  const { name = "API", description = "" } = JSON.parse(text) as { name?: string; description?: string };
  return { name, description };
}

function homePage(title: string, description: string, hasGuides: boolean): Page {
  const actions = [
    ...(hasGuides ? [{ theme: "brand", text: "Define a kind", link: "/guides/first-kind" }] : []),
    { theme: hasGuides ? "alt" : "brand", text: "Reference", link: "/reference/" },
  ];
  const front = { layout: "home", hero: { name: title, tagline: description, actions } };
  return { path: "index", title, text: blocks(`---\n${JSON.stringify(front, null, 1)}\n---`) };
}

/** Runs VitePress in a separate process: its memory is released, and Markdown can be written in projects without VitePress. */
async function build(root: string, folder: string, out: string): Promise<number> {
  const program = join(root, "node_modules/vitepress/bin/vitepress.js");
  if ((await readFile(program).catch(() => undefined)) === undefined) {
    process.stderr.write(`VitePress is not installed (npm install --save-dev vitepress); the pages are in ${folder}\n`);
    return 1;
  }
  const child = spawn(process.execPath, [program, "build", folder, "--outDir", out], { stdio: "inherit", cwd: root });
  return new Promise((done) => child.once("close", (status) => done(status ?? 1)));
}
