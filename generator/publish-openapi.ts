import { cp, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Copies the generated OpenAPI documents to a folder of its own; returns how many there are. */
export async function publishOpenApi(root: string, target: string): Promise<number> {
  const folder = resolve(root, target);
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, "generated/openapi"), folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith(".json")).length;
}
