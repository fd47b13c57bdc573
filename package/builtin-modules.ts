import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const IMPORT = /^import (?:(?:\* as )?(\w+) from|\{ (.*) \} from) "(node:[^"]+)";$/;
const OWN_PROCESS = /^(?:import .*|(?:const|let|var|function|class) )\bprocess\b/m;

/**
 * Replaces the imports of Node's own modules in all files of the bundle. To import one, Node loads it as a module of ECMAScript and reads
 * all of its exports, among them those that load more when they are read: streams of files, Web Crypto.
 */
export function getBuiltinModules(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".js"))) {
    const text = readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, name), withBuiltinModules(text));
  }
}

/** Every line stays where it was. A file with a variable of its own that is called `process` stays as it is. */
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
