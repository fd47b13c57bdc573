/**
 * Runs a fixed piece of work for each line of input, and prints the processor time that it took, in milliseconds. Like a server, it parses,
 * reads and writes JSON.
 */
const text = JSON.stringify(
  Array.from({ length: 60 }, (_, index) => ({
    name: `item-${index}`,
    labels: { app: `app-${index}`, tier: index },
    ports: [index, index + 1, { protocol: "a".repeat(20) }],
  })),
);
const ROUNDS = 12;
const WARM_UP = 200;

let length = 0;
function work(): void {
  for (let round = 0; round < ROUNDS; round++) {
    const items = JSON.parse(text) as { name: string }[];
    for (const { name } of items) length += name.length;
    length += JSON.stringify(items).length;
  }
}

for (let index = 0; index < WARM_UP; index++) work();
process.stdin.on("data", () => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${(user + system) / 1000}\n`);
});
process.stdin.on("end", () => process.exit(length > 0 ? 0 : 1));
process.stdout.write("ready\n");
