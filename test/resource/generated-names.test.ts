import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";

const { call } = servePlane();

describe("an IPAddress with a generateName", () => {
  const post = (generateName: string) =>
    call("POST", ADDRESSES, {
      body: {
        apiVersion: "networking.k8s.io/v1",
        kind: "IPAddress",
        metadata: { generateName },
        spec: { parentRef: { resource: "services", namespace: "default", name: "a" } },
      },
    });

  it("has that name, without a suffix", async () => {
    const { status, body } = await post("192.168.77.1");
    expect([status, body.metadata.name]).toEqual([201, "192.168.77.1"]);
  });

  it("is refused if the name is taken", async () => {
    await post("192.168.77.2");
    const { status, body } = await post("192.168.77.2");
    expect([status, body.reason]).toEqual([409, "AlreadyExists"]);
  });

  it("must have an address as its name", async () => {
    expect((await post("a-")).body.details.causes.map(({ field }: { field: string }) => field)).toContain(
      "metadata.generateName",
    );
  });
});
