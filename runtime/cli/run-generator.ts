import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts the generator in a process of its own: the server's code never loads it. Its messages go to the terminal. */
export async function runGenerator(
  args: readonly string[],
): Promise<{ readonly status: number; readonly output: string }> {
  const generator = fileURLToPath(new URL("../../generator/main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", generator, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  const status = await new Promise<number>((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done(code ?? 1));
  });
  return { status, output: Buffer.concat(parts).toString() };
}
