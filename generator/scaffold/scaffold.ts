import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { loadTemplate } from "../emitters/template.ts";
import { kebabCase } from "../model/names.ts";
import { isVersionName } from "../model/versions.ts";

const kindTemplate = loadTemplate("kind.hbs", import.meta.url);
const groupTemplate = loadTemplate("group.hbs", import.meta.url);

const USAGE =
  "usage: group, version and a kind that starts with a capital letter: make scaffold KIND=library.example.com/v1/Book\n";

/** Writes a definition to start from, and its group if there is none yet. Returns the exit status. */
export async function scaffold(root: string, target: string | undefined, name: string | undefined): Promise<number> {
  const [group = "", version = "", kind = ""] = [...(target?.split("/") ?? []), ...(name === undefined ? [] : [name])];
  if (group === "" || !isVersionName(version) || !/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const folder = await folderOf(root, group);
  if (folder === undefined) {
    const taken = `api-definitions/${group.split(".")[0]} contains another group`;
    process.stderr.write(`${taken}; use the full name of the group, such as ${group}.example.com\n`);
    return 1;
  }
  const file = `api-definitions/${folder}/${version}/${kebabCase(kind)}.ts`;
  if (await exists(join(root, file))) {
    process.stderr.write(`${file} already exists\n`);
    return 1;
  }
  const groupFile = `api-definitions/${folder}/group.ts`;
  if (await exists(join(root, groupFile))) await listVersion(join(root, groupFile), version, groupFile);
  else await write(root, groupFile, groupTemplate({ group, version, constant: camelCase(folder) }));
  await write(root, file, kindTemplate({ kind, plural: pluralOf(kind), constant: camelCase(kind) }));
  process.stdout.write("edit the file, then run `make generate`\n");
  return 0;
}

/** The first word of the group, or all of its words where another group took that; undefined where that is taken, too. */
async function folderOf(root: string, group: string): Promise<string | undefined> {
  for (const folder of [group.split(".")[0]!, group.replaceAll(".", "-")]) {
    const taken = await readFile(join(root, `api-definitions/${folder}/group.ts`), "utf8").catch(() => undefined);
    if (taken === undefined || taken.includes(`name: "${group}"`)) return folder;
  }
  return undefined;
}

/** Adds a version to the list of an existing group, as the least preferred one. */
async function listVersion(path: string, version: string, shown: string): Promise<void> {
  const text = await readFile(path, "utf8");
  if (text.includes(`"${version}"`)) return;
  await writeFile(
    path,
    text.replace(/versions: \[([^\]]*)\]/, (_, list: string) => `versions: [${list.trim()}, "${version}"]`),
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

/** Enough English for most names; the file can be edited for the others. */
function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
