import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LogFile, type LogFileOptions } from "../../runtime/audit/log-file.ts";

const DAY = 86_400_000;
let directory: string;
let time: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "typeplane-audit-log-"));
  time = Date.parse("2020-02-03T04:05:06.789Z");
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

function openLog(more: Partial<LogFileOptions> = {}): Promise<LogFile> {
  return LogFile.open({
    path: join(directory, "logs", "audit.log"),
    maxBytes: 10,
    maxAgeDays: 0,
    maxBackups: 0,
    compress: false,
    now: () => new Date(time),
    onProblem: (message) => expect.unreachable(message),
    ...more,
  });
}

const files = () => readdirSync(join(directory, "logs")).sort();
const read = (name: string) => readFileSync(join(directory, "logs", name), "utf8");

describe("an audit log file", () => {
  it("is readable by its owner only, and is appended to after a restart", async () => {
    const first = await openLog({ maxBytes: 100 });
    await first.write("one\n");
    await first.close();
    const second = await openLog({ maxBytes: 100 });
    await second.write("two\n");
    await second.close();
    expect(read("audit.log")).toBe("one\ntwo\n");
    expect(statSync(join(directory, "logs", "audit.log")).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "logs")).mode & 0o777).toBe(0o700);
  });

  it("is rotated to a name with its time when it is full, and never overwritten", async () => {
    const log = await openLog();
    for (const text of ["12345678\n", "abcdefgh\n", "ABCDEFGH\n"]) await log.write(text);
    await log.close();
    expect(files()).toEqual(["audit-2020-02-03T04-05-06.789.log", "audit-2020-02-03T04-05-06.790.log", "audit.log"]);
    expect(read("audit-2020-02-03T04-05-06.789.log")).toBe("12345678\n");
    expect(read("audit.log")).toBe("ABCDEFGH\n");
  });

  it("writes an event that is larger than the maximum size to a file of its own", async () => {
    const log = await openLog();
    await log.write("much more than ten bytes\n");
    await log.write("a\n");
    await log.close();
    expect(files()).toHaveLength(2);
    expect(read("audit.log")).toBe("a\n");
  });

  it("goes on in a new file when it is full after another program has moved or removed it", async () => {
    const log = await openLog();
    await log.write("12345678\n");
    rmSync(join(directory, "logs"), { recursive: true });
    await log.write("abcdefgh\n");
    await log.write("ABCDEFGH\n");
    await log.close();
    expect(files()).toEqual(["audit-2020-02-03T04-05-06.789.log", "audit.log"]);
    expect(read("audit-2020-02-03T04-05-06.789.log")).toBe("abcdefgh\n");
    expect(read("audit.log")).toBe("ABCDEFGH\n");
  });

  it("is written on when it cannot be rotated, and rotated when that is possible again", async () => {
    const problems: string[] = [];
    const log = await openLog({ onProblem: (message) => problems.push(message) });
    await log.write("12345678\n");
    renameSync(join(directory, "logs"), join(directory, "moved"));
    writeFileSync(join(directory, "logs"), "");
    await log.write("abcdefgh\n");
    expect(problems).toEqual([expect.stringContaining("cannot rotate the audit log: ")]);
    rmSync(join(directory, "logs"));
    await log.write("ABCDEFGH\n");
    await log.close();
    expect(readFileSync(join(directory, "moved", "audit.log"), "utf8")).toBe("12345678\nabcdefgh\n");
    expect(read("audit.log")).toBe("ABCDEFGH\n");
  });

  it("deletes rotated logs beyond the maximum number and age, and no other files", async () => {
    const log = await openLog({ maxBackups: 2, maxAgeDays: 5 });
    writeFileSync(join(directory, "logs", "audit-notes.log"), "mine");
    for (const text of ["11111111\n", "22222222\n", "33333333\n", "44444444\n"]) {
      await log.write(text);
      time += DAY;
    }
    await log.close();
    expect(files()).toEqual([
      "audit-2020-02-05T04-05-06.789.log",
      "audit-2020-02-06T04-05-06.789.log",
      "audit-notes.log",
      "audit.log",
    ]);
    time += 5 * DAY;
    await (await openLog({ maxBackups: 2, maxAgeDays: 5 })).close();
    expect(files()).toEqual(["audit-notes.log", "audit.log"]);
  });

  it("compresses old ones where that is asked for", async () => {
    const log = await openLog({ compress: true });
    await log.write("12345678\n");
    await log.write("abcdefgh\n");
    await log.close();
    const old = "audit-2020-02-03T04-05-06.789.log";
    expect(existsSync(join(directory, "logs", old))).toBe(false);
    expect(gunzipSync(readFileSync(join(directory, "logs", `${old}.gz`))).toString()).toBe("12345678\n");
  });
});
