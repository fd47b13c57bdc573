import { describe, expect, it } from "vitest";
import { hooks } from "../../../api-definitions/core/v1/pod.hooks.ts";
import { problemsOf } from "./run-hooks.ts";

const container = { name: "main", image: "a:1", terminationMessagePolicy: "File", imagePullPolicy: "Always" };
const pod = (spec: object, metadata: object = {}) => ({
  metadata: { name: "p", ...metadata },
  spec: { containers: [container], restartPolicy: "Always", dnsPolicy: "Default", serviceAccountName: "a", ...spec },
});

describe("huge pages in resources of a container", () => {
  const problems = (limits: object, requests: object = {}) =>
    problemsOf(hooks, pod({ containers: [{ ...container, resources: { limits, requests } }] }));

  it.each(["foo", "", "0", "1m", "-1", "2Mi2"])("are refused if their size is %j", (size) => {
    const name = `hugepages-${size}`;
    const refused = `${name}]: Invalid value: "1": 1 is not positive integer multiple of ${name}`;
    expect(problems({ cpu: "1", [name]: "1" }).filter((problem) => !problem.includes("regex"))).toEqual([
      `spec.containers[0].resources.limits[${refused}`,
    ]);
  });

  it("have a limit that equals the request, which is told before what else is wrong with the request", () => {
    expect(problems({ cpu: "1", "hugepages-2Mi": "2Mi" }, { "hugepages-2Mi": "1Mi" })).toEqual([
      'spec.containers[0].resources.requests: Invalid value: "1Mi": must be equal to hugepages-2Mi limit of 2Mi',
      'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of hugepages-2Mi',
    ]);
  });
});
