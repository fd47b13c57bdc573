import { spawn } from "node:child_process";
import { join } from "node:path";

export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly binary: string;
  readonly kubeconfig: string;
  /** Home directory, which separates kubectl's discovery cache from that of the user. */
  readonly home: string;
  readonly namespace?: string;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs the real kubectl. A command is written as in a terminal and split at spaces. Arguments that contain spaces follow it:
 * `kubectl.ok("patch configmap a -p", '{"data": null}')`.
 */
export class Kubectl {
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Returns the same kubectl for a namespace. */
  in(namespace: string): Kubectl {
    return new Kubectl({ ...this.#surroundings, namespace });
  }

  /** Returns the same kubectl with a manifest on its standard input. */
  given(stdin: string): Kubectl {
    return new Kubectl({ ...this.#surroundings, stdin });
  }

  with(environment: Readonly<Record<string, string>>): Kubectl {
    return new Kubectl({ ...this.#surroundings, environment });
  }

  /** Returns the output. Throws with the error message if the command fails. */
  async ok(command: string, ...more: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(command, ...more);
    if (code !== 0) throw new Error(`kubectl ${[command, ...more].join(" ")} ended with ${code}: ${stderr}${stdout}`);
    return stdout.trimEnd();
  }

  /** Returns the error message of a failing command. Throws if it succeeds. */
  async fails(command: string, ...more: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(command, ...more);
    if (code === 0) throw new Error(`kubectl ${[command, ...more].join(" ")} should have failed: ${stdout}`);
    return stderr.trimEnd();
  }

  async json<T>(command: string, ...more: string[]): Promise<T> {
    return JSON.parse(await this.ok(`${command} -o json`, ...more)) as T;
  }

  /** Runs a command until it ends. Retries once if a busy machine needed more than Go's ten seconds for a TLS handshake. */
  async run(command: string, ...more: string[]): Promise<KubectlResult> {
    for (let attempt = 1; ; attempt++) {
      const follower = this.follow(command, ...more);
      const code = await follower.ended;
      const result = { code, stdout: follower.stdout(), stderr: follower.stderr() };
      if (code === 0 || attempt === 4 || !result.stderr.includes("TLS handshake timeout")) return result;
    }
  }

  /** Starts a command that keeps running, such as `get --watch` or `proxy`, until it is stopped. */
  follow(command: string, ...more: string[]): RunningKubectl {
    const { binary, kubeconfig, home, namespace, stdin, environment } = this.#surroundings;
    const where = namespace === undefined ? [] : ["--namespace", namespace];
    const words = command.split(" ");
    const [verbs, rest] = splitAtDashes([...words, ...more]);
    const child = spawn(binary, [...verbs, "--cache-dir", join(home, "cache"), ...where, ...rest], {
      env: { PATH: process.env.PATH, HOME: home, KUBECONFIG: kubeconfig, ...environment },
      stdio: "pipe",
    });
    const running = new RunningKubectl(child);
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    return running;
  }
}

/** A running kubectl. */
export class RunningKubectl {
  readonly ended: Promise<number | null>;
  readonly #child: ReturnType<typeof spawn>;
  #stdout = "";
  #stderr = "";
  #over = false;

  constructor(child: ReturnType<typeof spawn>) {
    this.#child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    this.ended = new Promise((resolve) => {
      child.once("close", (code) => {
        this.#over = true;
        resolve(code);
      });
    });
  }

  stdout(): string {
    return this.#stdout;
  }

  stderr(): string {
    return this.#stderr;
  }

  /** Waits until the output matches the pattern. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const over = this.#over;
      const found = pattern.exec(this.#stdout);
      if (found !== null) return found;
      if (over) throw new Error(`kubectl ended after printing ${JSON.stringify(this.#stdout)}: ${this.#stderr}`);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, 20)), this.ended]);
    }
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.ended;
  }
}

/** Splits the words at `--`, which ends the flags of kubectl itself. */
function splitAtDashes(words: readonly string[]): [string[], string[]] {
  const at = words.indexOf("--");
  return at < 0 ? [[...words], []] : [words.slice(0, at), words.slice(at)];
}
