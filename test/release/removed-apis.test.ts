import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { compareReleases, shiftRelease } from "../../runtime/release/release.ts";
import { issueCertificateRequest } from "../fixtures/certificate-request.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { type Anew, type Removal, removals } from "./removals-table.ts";

const releases = [...new Set(removals.map(({ removed }) => removed))];
/** The first release that counts requests for deprecated versions. */
const METRIC_SINCE = "1.19";
const rootDirectory = mkdtempSync(join(tmpdir(), "typeplane-removals-"));

afterAll(() => rmSync(rootDirectory, { recursive: true, force: true }));

function start(directory: string, release: string): Promise<Plane> {
  // The versions a row names are on: some were alpha or new betas, off by default.
  return startPlane({ directory, flags: { release, controllers: "false", "runtime-config": "api/all=true" } });
}

function nameOf({ body }: Removal | Anew, otherwise: string): string {
  const metadata = body.metadata as { name?: string } | undefined;
  return metadata?.name ?? otherwise;
}

function made(removal: Removal, path: string, from: Removal | Anew, otherwise: string): Record<string, unknown> {
  const [, , group = "", version = ""] = path.split("/");
  const body = { apiVersion: `${group}/${version}`, kind: removal.kind, ...structuredClone(from.body) };
  const { spec } = body as { spec?: { request?: string } };
  if (spec?.request === "REQUEST") spec.request = issueCertificateRequest();
  return { ...body, metadata: removal.virtual ? {} : { name: nameOf(from, otherwise), ...(from.body.metadata ?? {}) } };
}

describe.each(releases)("an API that was removed in %s", (removed) => {
  const rows = removals
    .map((removal, index) => ({ removal, index }))
    .filter(({ removal }) => removal.removed === removed);

  it("is served with a warning one release before, and its objects are served by the replacement afterwards", async () => {
    const directory = join(rootDirectory, removed);
    const before = await start(directory, shiftRelease(removed, -1));
    const call = createClient(before);
    await before.ready;
    for (const { removal, index } of rows) {
      const answer = await call("POST", removal.old, { body: made(removal, removal.old, removal, `made-${index}`) });
      expect(answer.status, `${removal.old}: ${answer.text}`).toBe(201);
      expect(answer.headers.warning, removal.old).toContain(removal.warning ?? `unavailable in v${removed}+; use `);
      if (removal.virtual) expect(answer.body).toMatchObject(removal.becomes ?? {});
    }
    const metrics = (await call("GET", "/metrics")).text;
    const counted = compareReleases(removed, METRIC_SINCE) > 0;
    for (const { removal } of counted ? rows : []) {
      const [, , group, version] = removal.old.split("/");
      const resource = removal.old.split("/").at(-1);
      expect(metrics).toContain(
        `apiserver_requested_deprecated_apis{group="${group}",version="${version}",resource="${resource}",subresource="",removed_release="${removed}"} 1`,
      );
    }
    await before.stop();

    const after = await start(directory, removed);
    const later = createClient(after);
    await after.ready;
    for (const { removal, index } of rows) {
      expect((await later("GET", removal.old)).status, removal.old).toBe(404);
      for (const path of removal.virtual ? [] : [removal.replacement, removal.alternative]) {
        if (path === undefined) continue;
        const found = await later("GET", `${path}/${nameOf(removal, `made-${index}`)}`);
        expect(found.status, `${path}: ${found.text}`).toBe(200);
        expect(found.body, removal.old).toMatchObject(removal.becomes ?? {});
        expect(found.headers.warning ?? "", path).not.toContain(`unavailable in v${removed}+`);
      }
      for (const [number, anew] of (removal.anew ?? []).entries()) {
        const path = removal.replacement ?? "";
        const answer = await later("POST", path, { body: made(removal, path, anew, `anew-${index}-${number}`) });
        expect(answer.status, `${path}: ${answer.text}`).toBe(anew.refused === undefined ? 201 : 422);
        if (anew.refused === undefined) expect(answer.body, path).toMatchObject(anew.becomes ?? {});
        else expect(answer.body.message, path).toContain(anew.refused);
      }
    }
    const discovery = (await later("GET", "/apis")).text;
    const documents = (await later("GET", "/openapi/v3")).text;
    for (const { removal } of rows) {
      const groupVersion = removal.old.split("/").slice(2, 4).join("/");
      const gone = (await later("GET", `/apis/${groupVersion}`)).status === 404;
      if (gone) expect(discovery).not.toContain(`"groupVersion":"${groupVersion}"`);
      if (gone) expect(documents).not.toContain(`"apis/${groupVersion}"`);
    }
    await after.stop();
  });
});
