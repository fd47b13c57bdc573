// Runs when Node is too old: starts the command with the Node that is installed among the dependencies.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const node = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
const command = fileURLToPath(new URL("typeplane.js", import.meta.url));

if (existsSync(node)) {
  const child = spawn(node, [command, ...process.argv.slice(2)], { stdio: "inherit" });
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  // A terminal interrupts both processes. Forwarding the signal would interrupt the server twice, and it would not shut down gracefully.
  process.on("SIGINT", () => undefined);
  child.once("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  const advice = command.includes("node_modules") ? "" : ": `make setup` installs it";
  process.stderr.write(`typeplane needs Node 22.18, 23.6 or newer, and this is ${process.version}${advice}\n`);
  process.exitCode = 2;
}
