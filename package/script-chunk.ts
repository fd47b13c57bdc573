import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutIndentation } from "./indentation.ts";
import { lineMappings } from "./line-mappings.ts";

const IMPORT = /^import \{ (.*) \} from "([^"]+)";$/;
const FROM_NODE = / = process\.getBuiltinModule\("[^"]+"\);$/;
/** Names of the files that every server loads, and of the file of servers with all kinds. Only these are large. */
const SCRIPTS = ["start", "shared", "kubernetes"];
const LARGE_BYTES = 50_000;

/** Parses `a as b, c` into pairs of the names before and after `as`. */
const pairs = (list: string): readonly (readonly [string, string])[] =>
  list.split(", ").map((each) => {
    const [from = "", to = from] = each.split(" as ");
    return [from, to];
  });

/**
 * Turns the files that servers load at the start into scripts, so that their compiled code can be stored with the functions that a start
 * calls (see `cached-script.js`). Each module remains, runs its script and exports the result. Lines keep their numbers.
 */
export function makeScripts(folder: string): void {
  for (const each of SCRIPTS) {
    const large = readdirSync(folder).filter(
      (file) => file.startsWith(`${each}-`) && file.endsWith(".js") && isLarge(join(folder, file)),
    );
    const [name] = large;
    if (name === undefined || large.length > 1) throw new Error(`the bundle has ${large.length} large files ${each}-*`);
    const { script, module } = scriptOf(name, readFileSync(join(folder, name), "utf8"));
    const { text, removed } = withoutIndentation(script);
    writeFileSync(join(folder, name.replace(/\.js$/, ".script.js")), text);
    const map = JSON.parse(readFileSync(join(folder, `${name}.map`), "utf8")) as { readonly mappings: string };
    const mappings = lineMappings(map.mappings, removed);
    writeFileSync(join(folder, `${name}.map`), JSON.stringify({ ...map, mappings }));
    writeFileSync(join(folder, name), module);
  }
}

const isLarge = (path: string): boolean => statSync(path).size > LARGE_BYTES;

/** Returns a file as script and module. Throws if it contains something that a script cannot or must not contain. */
export function scriptOf(name: string, text: string): { readonly script: string; readonly module: string } {
  const lines = text.split("\n");
  const modules: string[] = [];
  const begin = lines.findIndex((line) => !line.startsWith("import ") && !FROM_NODE.test(line));
  const imports = lines.slice(0, begin).map((line) => {
    if (FROM_NODE.test(line)) return line;
    const [, list = "", from = ""] = IMPORT.exec(line) ?? [];
    if (from === "") throw new Error(`an import of ${name} cannot be part of a script: ${line}`);
    const names = pairs(list).map(([imported, local]) => `${imported}: ${local}`);
    return `const { ${names.join(", ")} } = $imports[${modules.push(from) - 1}];`;
  });
  const code = [...imports, ...lines.slice(begin)]
    .join("\n")
    .replaceAll("import.meta.url", "$url")
    .replace(/\bimport\(/g, "$import(");
  const at = code.lastIndexOf("export { ");
  const [whole = "", list = ""] = /^export \{ ([^}]*) \};/.exec(code.slice(at)) ?? [];
  const exported = pairs(list);
  const returned = exported.map(([local, to]) => `${to}: ${local}`).join(", ");
  const script = `(function ($imports, $url, $import) { "use strict"; ${code.slice(0, at)}return { ${returned} }; })${code.slice(at + whole.length)}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the script is read as Latin-1.
  if (whole === "" || /[^\x00-\x7f]/.test(script)) throw new Error(`${name} cannot be a script`);
  const variables = new Set([...text.matchAll(/^let ([\w$]+)/gm)].map(([, variable]) => variable));
  const reassigned = exported.filter(([local]) => variables.has(local));
  if (reassigned.length > 0) throw new Error(`${name} exports variables that change: ${reassigned.join(" and ")}`);
  return {
    script,
    module: moduleOf(
      name,
      modules,
      exported.map(([, to]) => to),
    ),
  };
}

function moduleOf(name: string, modules: readonly string[], exported: readonly string[]): string {
  return [
    'import { runScript } from "./cached-script.js";',
    ...modules.map((from, index) => `import * as $${index} from "${from}";`),
    `const $script = new URL("./${name.replace(/\.js$/, ".script.js")}", import.meta.url);`,
    `const $modules = [${modules.map((_, index) => `$${index}`).join(", ")}];`,
    "const $all = runScript($script, $modules, import.meta.url, (name) => import(name));",
    `const { ${exported.map((each, index) => `${each}: $e${index}`).join(", ")} } = $all;`,
    `export { ${exported.map((each, index) => `$e${index} as ${each}`).join(", ")} };`,
    "",
  ].join("\n");
}
