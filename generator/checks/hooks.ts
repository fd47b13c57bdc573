import type { CheckContext } from "./checks.ts";

/** A hooks file stands beside the kind it is for; otherwise nothing would ever call it. */
export function checkHooks({ model, tree, diagnostics }: CheckContext): void {
  const modules = [...model.modules.values()];
  const used = new Set(modules.flatMap((module) => [...module.kinds, ...module.configKinds]).map(({ hooks }) => hooks));
  for (const path of tree.files.keys()) {
    if (!path.endsWith(".hooks.ts") || used.has(path)) continue;
    diagnostics.report("hooks-orphan", { file: path, line: 1, column: 1, text: path });
  }
}
