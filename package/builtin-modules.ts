import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const IMPORT = /^import (?:(?:\* as )?(\w+) from|\{ (.*) \} from) "(node:[^"]+)";$/;
const OWN_PROCESS = /^(?:import .*|(?:const|let|var|function|class) )\bprocess\b/m;

/**
 * Replaces imports of Node's built-in modules in all files of the bundle. For an import, Node wraps the module as an ECMAScript module and
 * reads all of its exports, some of which load more code when they are read: file streams, Web Crypto.
 */
export function getBuiltinModules(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".js"))) {
    const text = readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, name), withBuiltinModules(text));
  }
}

/** Returns the code with the imports replaced. Lines keep their numbers. Code with its own variable `process` is returned unchanged. */
export function withBuiltinModules(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("import "));
  if (end < 1 || OWN_PROCESS.test(text)) return text;
  const head = lines.slice(0, end).map((line) => {
    const [, whole, list = "", module] = IMPORT.exec(line) ?? [];
    if (module === undefined) return line;
    const names = list.replaceAll(" as ", ": ");
    if (/\bdefault: /.test(names)) throw new Error(`an import has another form than expected: ${line}`);
    return `const ${whole ?? `{ ${names} }`} = process.getBuiltinModule("${module}");`;
  });
  return [...head, ...lines.slice(end)].join("\n");
}
