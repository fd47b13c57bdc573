import { readFileSync } from "node:fs";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { commandIn } from "../commands.ts";
import { kebabCase } from "../model/names.ts";
import { compareVersions, isVersionName } from "../model/versions.ts";
import { copyForVersion, findVersions, markStorage, marksStorage, type VersionFile } from "./copy-version.ts";

const USAGE =
  "usage: group, version and a kind that starts with a capital letter: typeplane scaffold library.example.com/v1/Book\n";

/** Import specifiers in definitions of this repository and of other projects. */
const IMPORTS = {
  package: { meta: "typeplane/meta/v1", vocabulary: "typeplane/vocabulary", groupVocabulary: "typeplane/vocabulary" },
  relative: {
    meta: "../../meta/v1/type-meta.ts",
    vocabulary: "../../vocabulary.ts",
    groupVocabulary: "../vocabulary.ts",
  },
};

export interface ScaffoldOptions {
  /** Names of folders that belong to other packages. */
  readonly reserved?: ReadonlySet<string>;
  /** Suppresses the hints about the next steps. */
  readonly quiet?: boolean;
}

/** Writes an initial definition of a kind, and its group if it does not exist. Returns the exit status. */
export async function scaffold(
  root: string,
  target: string | undefined,
  name: string | undefined,
  { reserved = new Set(), quiet = false }: ScaffoldOptions = {},
): Promise<number> {
  const [group = "", version = "", kind = ""] = [...(target?.split("/") ?? []), ...(name === undefined ? [] : [name])];
  if (group === "" || !isVersionName(version) || !/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const names = await definitionNames(root, group, kind, reserved);
  if (names === undefined) {
    const taken = `api-definitions/${group.split(".")[0]} contains another group`;
    process.stderr.write(`${taken}; use the full name of the group, such as ${group}.example.com\n`);
    return 1;
  }
  const { folder, constant } = names;
  const file = `api-definitions/${folder}/${version}/${names.file}.ts`;
  if (await exists(join(root, file))) {
    process.stderr.write(`${file} already exists\n`);
    return 1;
  }
  const isPackage = await exists(join(root, "api-definitions/vocabulary.ts"));
  const imports = IMPORTS[isPackage ? "relative" : "package"];
  const groupFile = `api-definitions/${folder}/group.ts`;
  const former = await findVersions(root, folder, kind);
  if (await exists(join(root, groupFile))) await listVersion(join(root, groupFile), version, groupFile);
  else await write(root, groupFile, fill("group.hbs", { group, version, constant: camelCase(folder), ...imports }));
  if (former.length === 0)
    await write(root, file, fill("kind.hbs", { kind, plural: pluralOf(kind), constant, ...imports }));
  else await addVersion(root, { folder, version, kind, former });
  if (quiet) return 0;
  const hooks = file.replace(/\.ts$/, ".hooks.ts");
  process.stdout.write(`edit the file, then run \`${commandIn(root, "generate")}\`\n`);
  process.stdout.write(`rules that need code go into ${hooks}: export const hooks = kindHooks<${kind}>({ … })\n`);
  return 0;
}

/** Names for a definition: its folder below api-definitions, its file without extension, and the constant of its kind. */
export interface DefinitionNames {
  readonly folder: string;
  readonly file: string;
  readonly constant: string;
}

/** Returns the names for the definition of a kind; undefined if other groups use both folders that the group could have. */
export async function definitionNames(
  root: string,
  group: string,
  kind: string,
  reserved: ReadonlySet<string>,
): Promise<DefinitionNames | undefined> {
  const folder = await folderOf(root, group, reserved);
  return folder === undefined ? undefined : { folder, file: kebabCase(kind), constant: camelCase(kind) };
}

/** Fills a template in this folder: replaces `{{name}}`. */
function fill(template: string, view: Readonly<Record<string, string>>): string {
  const text = readFileSync(new URL(template, import.meta.url), "utf8");
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => view[name] ?? "");
}

interface NewVersion {
  readonly folder: string;
  readonly version: string;
  readonly kind: string;
  readonly former: readonly VersionFile[];
}

/**
 * Writes another version of a kind, as a copy of the most stable and newest one. The stored version, for which hooks are written, does not
 * change: a rollback to the previous release must be able to read the objects.
 */
async function addVersion(root: string, { folder, version, kind, former }: NewVersion): Promise<void> {
  const [source] = former as [VersionFile];
  const target = `api-definitions/${folder}/${version}/${basename(source.path)}`;
  await write(root, target, copyForVersion(source, kind, await currentRelease(root)));
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  say(`  it starts as a copy of ${source.path}`);
  const hooks = source.path.replace(/\.ts$/, ".hooks.ts");
  const isMarked = former.some(({ text }) => marksStorage(text, kind));
  if (!isMarked && compareVersions(version, source.version) < 0) {
    await writeFile(join(root, source.path), markStorage(source.text, kind));
    say(`  objects stay stored as ${source.version} (\`storage: true\`); move that to ${version} in the next release`);
  }
  if (await exists(join(root, hooks))) say(`  hooks stay in ${hooks}, which is written for the stored version`);
  say(`  declare fields that you rename or move in api-definitions/${folder}/conversions.ts`);
}

/** Returns the project's current release; undefined if nothing was generated yet. */
async function currentRelease(root: string): Promise<string | undefined> {
  const text = await readFile(join(root, "generated/resources.json"), "utf8").catch(() => "{}");
  const { release, project } = JSON.parse(text) as { release?: string; project?: { release?: string } };
  return project?.release ?? release;
}

/**
 * Returns the folder of a group: the first part of its name, or the whole name with dashes if another group uses that folder; undefined if
 * that is used, too.
 */
async function folderOf(root: string, group: string, reserved: ReadonlySet<string>): Promise<string | undefined> {
  for (const folder of [group.split(".")[0]!, group.replaceAll(".", "-")]) {
    if (reserved.has(folder)) continue;
    const taken = await readFile(join(root, `api-definitions/${folder}/group.ts`), "utf8").catch(() => undefined);
    if (taken === undefined || taken.includes(`name: "${group}"`)) return folder;
  }
  return undefined;
}

/** Adds a version to the list of an existing group, sorted: stable before others, newer before older. */
async function listVersion(path: string, version: string, shown: string): Promise<void> {
  const text = await readFile(path, "utf8");
  if (text.includes(`"${version}"`)) return;
  await writeFile(
    path,
    text.replace(/versions: \[([^\]]*)\]/, (_, list: string) => {
      const listed = [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
      const place = listed.findIndex((other) => compareVersions(version, other) < 0);
      const all = listed.toSpliced(place < 0 ? listed.length : place, 0, version);
      return `versions: [${all.map((name) => `"${name}"`).join(", ")}]`;
    }),
  );
  process.stdout.write(`${version} is now listed in ${shown}\n`);
}

async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  process.stdout.write(`wrote ${path}\n`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function camelCase(name: string): string {
  const joined = name.replace(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** Returns the plural of a kind. Handles the most common English plurals; others can be edited in the file. */
function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
