import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";

/** A headless Chromium with one page, controlled through the DevTools protocol. */
export class Browser {
  /** Console errors, exceptions and failed requests since the last call of `open`. */
  readonly problems: string[] = [];
  readonly #process: ChildProcess;
  readonly #directory: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #session: string | undefined;
  #next = 1;

  private constructor(process: ChildProcess, directory: string, socket: WebSocket) {
    this.#process = process;
    this.#directory = directory;
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(JSON.parse(String(data)) as Answer));
  }

  static async start(program: string): Promise<Browser> {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-browser-"));
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--remote-debugging-port=0",
      `--user-data-dir=${directory}`,
    ];
    const child = spawn(program, [...flags, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    const address = await new Promise<string>((resolve, reject) => {
      child.stderr?.on("data", (chunk) => {
        output += chunk;
        const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`Chromium did not start: ${output}`)));
    });
    const socket = new WebSocket(address);
    await once(socket, "open");
    const browser = new Browser(child, directory, socket);
    const { targetId } = await browser.#send<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const attached = await browser.#send<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
    browser.#session = attached.sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.#send(`${domain}.enable`);
    return browser;
  }

  /** Sets the window width and the preferred color scheme of the system. */
  async show(width: number, scheme: "light" | "dark"): Promise<void> {
    const metrics = { width, height: 800, deviceScaleFactor: 1, mobile: width < 600 };
    await this.#send("Emulation.setDeviceMetricsOverride", metrics);
    await this.#send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  }

  /** Loads a page and waits until Vue has hydrated it. */
  async open(url: string): Promise<void> {
    this.problems.length = 0;
    await this.#send("Page.navigate", { url });
    await this.until("document.readyState === 'complete' && document.querySelector('#app')?.__vue_app__ !== undefined");
  }

  /** Returns the value of an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send<{
      result: { value: T };
      exceptionDetails?: { exception?: { description?: string } };
    }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? expression);
    return result.value;
  }

  /** Waits until an expression in the page is true. */
  async until(expression: string): Promise<void> {
    const deadline = performance.now() + 240_000;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
      if (performance.now() > deadline) throw new Error(`did not become true in the page: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async type(text: string): Promise<void> {
    await this.#send("Input.insertText", { text });
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill();
    await gone;
    this.#socket.close();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #send<T>(method: string, params: object = {}): Promise<T> {
    const id = this.#next++;
    const message = { id, method, params, ...(this.#session !== undefined && { sessionId: this.#session }) };
    this.#socket.send(JSON.stringify(message));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result as T) : reject(new Error(`${method}: ${error.message}`)),
      );
    });
  }

  #receive(answer: Answer): void {
    if (answer.id !== undefined) {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
      return;
    }
    const text = JSON.stringify(answer.params);
    if (answer.method === "Runtime.exceptionThrown") this.problems.push(text);
    if (answer.method === "Runtime.consoleAPICalled" && /"type":"(error|warning)"/.test(text)) this.problems.push(text);
    if (answer.method === "Log.entryAdded" && text.includes('"level":"error"')) this.problems.push(text);
    if (answer.method === "Network.responseReceived" && /"status":[45]\d\d/.test(text)) this.problems.push(text);
  }
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
