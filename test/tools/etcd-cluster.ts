import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./etcd-process.ts";
import { findTool } from "./tools.ts";

interface Member {
  readonly name: string;
  readonly client: string;
  readonly peer: string;
  child: ChildProcess | undefined;
}

const MEMBERS = 3;
/** Short enough that a new leader is elected soon, and long enough that a busy machine does not lose its leader. */
const HEARTBEAT_MS = 100;
const ELECTION_MS = 1000;

/** Three real etcd members on loopback. The leader can be killed, or stopped as if its machine froze. */
export class EtcdCluster {
  readonly #binary: string;
  readonly #directory = mkdtempSync(join(tmpdir(), "typeplane-etcds-"));
  readonly #members: readonly Member[];

  private constructor(binary: string, members: readonly Member[]) {
    this.#binary = binary;
    this.#members = members;
  }

  static async start(): Promise<EtcdCluster> {
    const binary = findTool("etcd");
    if (binary === undefined) throw new Error("etcd was not found");
    const members: Member[] = [];
    for (let index = 0; index < MEMBERS; index++) {
      const [client, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
      members.push({ name: `m${index}`, client: client ?? "", peer: peer ?? "", child: undefined });
    }
    const cluster = new EtcdCluster(binary, members);
    for (const member of members) cluster.#spawn(member);
    await cluster.leader();
    return cluster;
  }

  get endpoints(): readonly string[] {
    return this.#members.map(({ client }) => client);
  }

  /** Returns the name of the member that a majority has elected. Waits until there is one. */
  async leader(): Promise<string> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const votes = (await Promise.all(this.#members.map(status))).filter((answer) => answer !== undefined);
      const leading = votes.filter(({ leader, id }) => leader === id);
      const found = leading.find(({ leader }) => votes.filter((vote) => vote.leader === leader).length * 2 > MEMBERS);
      if (found !== undefined) return found.name;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("the etcd members elected no leader");
  }

  /** Kills the leader, waits for another, and starts the member again. */
  async killLeader(): Promise<void> {
    const member = this.#memberOf(await this.leader());
    await kill(member);
    await this.leader();
    this.#spawn(member);
  }

  /** Stops the leader until another is elected, then continues it while it still considers itself the leader. */
  async freezeLeader(): Promise<void> {
    const { child } = this.#memberOf(await this.leader());
    child?.kill("SIGSTOP");
    try {
      await this.leader();
    } finally {
      child?.kill("SIGCONT");
    }
  }

  async stop(): Promise<void> {
    for (const member of this.#members) await kill(member);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #memberOf(name: string): Member {
    return this.#members.find((member) => member.name === name) as Member;
  }

  #spawn(member: Member): void {
    member.child = spawn(
      this.#binary,
      [
        ["--name", member.name],
        ["--data-dir", join(this.#directory, member.name)],
        ["--listen-client-urls", member.client],
        ["--advertise-client-urls", member.client],
        ["--listen-peer-urls", member.peer],
        ["--initial-advertise-peer-urls", member.peer],
        ["--initial-cluster", this.#members.map(({ name, peer }) => `${name}=${peer}`).join(",")],
        ["--heartbeat-interval", String(HEARTBEAT_MS)],
        ["--election-timeout", String(ELECTION_MS)],
        ["--log-level", "error"],
      ].flat(),
      { stdio: "ignore" },
    );
  }
}

async function kill(member: Member): Promise<void> {
  const { child } = member;
  member.child = undefined;
  if (child === undefined || child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Returns the member's view of itself and its leader; undefined if it does not respond. */
async function status({
  name,
  client,
}: Member): Promise<{ readonly name: string; readonly id: string; readonly leader: string } | undefined> {
  try {
    const signal = AbortSignal.timeout(500);
    const response = await fetch(`${client}/v3/maintenance/status`, { method: "POST", body: "{}", signal });
    const { header, leader = "0" } = (await response.json()) as { header: { member_id: string }; leader?: string };
    return { name, id: header.member_id, leader };
  } catch {
    return undefined;
  }
}
