import { expect, it } from "vitest";
import { RequestMetrics } from "../../runtime/http/metrics/request-metrics.ts";

it("counts methods that clients make up as one, so that nobody can fill memory with names", async () => {
  const metrics = new RequestMetrics(() => false, { isShown: () => true, prefix: () => "" } as never);
  const request = (method: string) =>
    ({
      method,
      req: { headers: {} },
      res: { statusCode: 405, writableEnded: true },
      state: {
        info: { isResource: false, path: "/version", verb: method.toLowerCase() },
        query: new URLSearchParams(),
        waitedMs: 0,
        sentBytes: 0,
        terminated: false,
      },
    }) as never;
  for (let index = 0; index < 100; index++) {
    const made = request(`MADE${index}`);
    metrics.begin(made);
    metrics.end(made, 1);
  }
  const text = await metrics.expose();
  expect(text).not.toContain("MADE");
  expect(text).toMatch(/^apiserver_request_total\{.*verb="other".*\} 100$/m);
});
