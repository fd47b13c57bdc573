import { afterAll, beforeAll, expect } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

/** Starts a plane without controllers for the tests of a file. Its log must not contain errors at the end. */
export function serveWithoutErrors() {
  let plane: Plane;
  const errors: string[] = [];
  beforeAll(async () => {
    const log = (level: string, message: string) => void (level === "error" && errors.push(message));
    plane = await startPlane({ flags: { controllers: "false" }, log });
    await plane.ready;
  });
  afterAll(async () => {
    await plane.stop();
    expect(errors).toEqual([]);
  });

  const call = (method: string, path: string, body?: unknown) => createClient(plane)(method, path, { body });

  /** Returns the number of open watches of ConfigMaps. */
  const watches = async (): Promise<number> => {
    const { text } = await call("GET", "/metrics");
    const lines = text
      .split("\n")
      .filter((line) => /^apiserver_longrunning_requests\{.*resource="configmaps"/.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };

  return { client: () => plane.client, call, watches };
}
