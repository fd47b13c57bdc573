import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareVersions, isVersionName } from "../model/versions.ts";

/** A definition of a kind in one of its versions. */
export interface VersionFile {
  readonly version: string;
  /** Path below the root: `api-definitions/fleet/v1/truck.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Returns the definitions of a kind in all of its versions, most stable and newest first. */
export async function findVersions(root: string, folder: string, kind: string): Promise<VersionFile[]> {
  const group = `api-definitions/${folder}`;
  const entries = await readdir(join(root, group), { recursive: true, withFileTypes: true }).catch(() => []);
  const found: VersionFile[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    const [version = "", ...rest] = path.slice(group.length + 1).split("/");
    if (!entry.isFile() || rest.length !== 1 || !isVersionName(version) || !/(?<!\.hooks|\.test)\.ts$/.test(path))
      continue;
    const text = await readFile(join(root, path), "utf8");
    if (text.includes(`kind<${kind}>(`)) found.push({ version, path, text });
  }
  return found.sort((a, b) => compareVersions(a.version, b.version));
}

/** Returns the definition as that of a new version: introduced in this release, and importing sibling files from the copied version. */
export function copyForVersion({ version, text }: VersionFile, kind: string, release: string | undefined): string {
  const own = text.replace(
    /(from ")\.\/([^"]+")/g,
    (_, before: string, file: string) => `${before}../${version}/${file}`,
  );
  return inDeclaration(own, kind, (declaration) => {
    const plain = declaration
      .replace(/(\n\s*)?\b(introduced|deprecated|removed|replacement): "[^"]*",?(?! *\/\/)/g, "")
      .replace(/(\n\s*)?\bstorage: (true|false),?/g, "");
    return release === undefined ? plain : addSetting(plain, `introduced: "${release}"`);
  });
}

export function marksStorage(text: string, kind: string): boolean {
  let found = false;
  inDeclaration(text, kind, (declaration) => {
    found = /\bstorage: true\b/.test(declaration);
    return declaration;
  });
  return found;
}

/** Marks the definition as that of the stored version. */
export function markStorage(text: string, kind: string): string {
  return inDeclaration(text, kind, (declaration) => addSetting(declaration, "storage: true"));
}

/** Changes the argument of `kind<Kind>({ … })`. */
function inDeclaration(text: string, kind: string, change: (declaration: string) => string): string {
  const start = text.indexOf(`kind<${kind}>(`);
  const end = text.indexOf("});", start);
  if (start < 0 || end < 0) return text;
  return text.slice(0, start) + change(text.slice(start, end)) + text.slice(end);
}

/** Adds a setting after the plural, on a separate line if the plural is on one. */
function addSetting(declaration: string, setting: string): string {
  return declaration.replace(/(\n\s*)?(plural: "[^"]*"),?( ?)/, (_, line: string | undefined, plural: string) =>
    line === undefined ? `${plural}, ${setting}, ` : `${line}${plural},${line}${setting},`,
  );
}
