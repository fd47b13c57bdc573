import { describe, expect, it } from "vitest";
import { hooks as cronJobHooks } from "../../../api-definitions/batch/v1/cron-job.hooks.ts";
import { scheduleProblem } from "../../../api-definitions/batch/v1/cron-schedule.ts";
import { hooks as jobHooks } from "../../../api-definitions/batch/v1/job.hooks.ts";
import type { Job } from "../../../api-definitions/batch/v1/job.ts";
import { countIndexes, firstSharedIndex, indexesProblem } from "../../../api-definitions/batch/v1/job-indexes.ts";
import { isTimeZone } from "../../../api-definitions/batch/v1/time-zones.ts";
import { DEFAULT_CONTEXT } from "../../fixtures/default-context.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

const template = {
  metadata: {},
  spec: {
    restartPolicy: "Never",
    dnsPolicy: "ClusterFirst",
    containers: [
      {
        name: "main",
        image: "x:1",
        imagePullPolicy: "IfNotPresent",
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
      },
    ],
  },
};

const WITH_MANAGERS = { features: ["JobManagedBy"] };

function newJob(spec: object = {}): Job {
  const job = { metadata: { name: "once", uid: "u-1" }, spec: { template, ...spec } } as unknown as Job;
  const copy = structuredClone(job);
  jobHooks.default?.(copy, DEFAULT_CONTEXT);
  jobHooks.lifecycle?.prepareForCreate?.(copy, contextFor(WITH_MANAGERS));
  return copy;
}

describe("a job", () => {
  it("gets a generated selector and labels", () => {
    const job = newJob();
    expect(job.spec?.selector).toEqual({ matchLabels: { "batch.kubernetes.io/controller-uid": "u-1" } });
    expect(job.spec?.template.metadata?.labels).toEqual({
      "batch.kubernetes.io/controller-uid": "u-1",
      "batch.kubernetes.io/job-name": "once",
      "controller-uid": "u-1",
      "job-name": "once",
    });
    expect(refusals(jobHooks, job)).toEqual([]);
    expect(job.metadata).not.toHaveProperty("labels");
    jobHooks.compatibility?.completeNew?.(job);
    expect(job.metadata?.labels).toEqual(job.spec?.template.metadata?.labels);
  });

  it("keeps its own selector with manualSelector", () => {
    const own = { manualSelector: true, selector: { matchLabels: { a: "b" } } };
    expect(newJob(own).spec?.selector).toEqual({ matchLabels: { a: "b" } });
  });

  it.each<[spec: object, ...problems: string[]]>([
    [
      { completionMode: "Odd" },
      'spec.completionMode: Unsupported value: "Odd": supported values: "NonIndexed", "Indexed"',
    ],
    [
      { completionMode: "Indexed", parallelism: 1 },
      "spec.completions: Required value: when completion mode is Indexed",
    ],
    [{ backoffLimitPerIndex: 1 }, "spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"],
    [
      { completionMode: "Indexed", completions: 2, maxFailedIndexes: 3, backoffLimitPerIndex: 1 },
      "spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions",
    ],
    [
      { managedBy: "nobody" },
      'spec.managedBy: Invalid value: "nobody": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      { successPolicy: { rules: [] } },
      "spec.successPolicy: Invalid value: batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule{}}: requires indexed completion mode",
    ],
    [
      { completionMode: "Indexed", completions: 3, successPolicy: { rules: [{ succeededIndexes: "0-5" }] } },
      'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5"',
    ],
    [
      { podFailurePolicy: { rules: [{ action: "Odd", onExitCodes: { operator: "In", values: [2, 0, 2] } }] } },
      'spec.podFailurePolicy.rules[0].action: Unsupported value: "Odd": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
      "spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator",
      "spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 2",
      "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []int32{2, 0, 2}: must be ordered",
    ],
    [
      { podFailurePolicy: { rules: [{ action: "Ignore" }] } },
      "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
    ],
  ])("is refused for %j", (spec, ...problems) => {
    expect(refusals(jobHooks, newJob(spec), WITH_MANAGERS)).toEqual(problems);
  });

  it("must not use the restart policy Always", () => {
    const job = newJob({ template: withValue(template, "spec.restartPolicy", "Always") });
    expect(refusals(jobHooks, job)).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it("keeps its completions, unless it is indexed and elastic", () => {
    const old = newJob({ completions: 2 });
    expect(refusals(jobHooks, withValue(old, "spec.completions", 3), { old })).toEqual([
      "spec.completions: Invalid value: 3: field is immutable",
    ]);
    const indexed = newJob({ completionMode: "Indexed", completions: 2, parallelism: 2 });
    const grown = withValue(withValue(indexed, "spec.completions", 4), "spec.parallelism", 4);
    expect(refusals(jobHooks, grown, { old: indexed })).toEqual([]);
    expect(refusals(jobHooks, withValue(indexed, "spec.completions", 4), { old: indexed })).toEqual([
      "spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism",
    ]);
  });

  it("may change scheduling fields while it is suspended and not started", () => {
    const old = newJob({ suspend: true });
    const moved = withValue(old, "spec.template.spec.nodeSelector", { disk: "ssd" });
    expect(refusals(jobHooks, moved, { old })).toEqual([]);
    const running = withValue(old, "status.startTime", "2030-01-01T00:00:00Z");
    const late = refusals(jobHooks, { ...moved, status: running.status }, { old: running });
    expect(late).toEqual([expect.stringMatching(/^spec\.template: Invalid value: .*: field is immutable$/)]);
  });

  it("must have a consistent status", () => {
    const old = newJob();
    const status = {
      conditions: [{ type: "Complete", status: "True" }],
      active: 1,
      completionTime: "2030-01-01T00:00:00Z",
      startTime: "2030-01-01T01:00:00Z",
    };
    const strict = { old, subresource: "status", features: ["JobManagedBy"] };
    expect(refusals(jobHooks, { ...old, status }, strict)).toEqual([
      "status.completionTime: Invalid value: 2030-01-01 00:00:00 +0000 UTC: completionTime cannot be set before startTime",
      "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
      "status.active: Invalid value: 1: active>0 is invalid for finished job",
    ]);
    expect(refusals(jobHooks, { ...old, status }, { old, subresource: "status" })).toEqual([]);
  });

  it("can be selected by status.successful", () => {
    expect(jobHooks.table?.selectable?.["status.successful"]?.({ status: { succeeded: 3 } } as Job)).toBe("3");
  });
});

describe("lists of indexes", () => {
  it("contain the right number of indexes", () => {
    expect(countIndexes("", 5)).toBe(0);
    expect(countIndexes("0,2-4", 5)).toBe(4);
  });

  it.each([
    ["1,1", "non-increasing order, previous: 1, current: 1"],
    ["3-2", "non-increasing order, previous: 3, current: 2"],
    ["a", 'cannot convert string to integer for index: "a"'],
    ["9", 'too large index: "9"'],
    ["99999999999999999999", 'cannot convert string to integer for index: "99999999999999999999"'],
    [
      "1-2-3",
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
  ])("refuse %s", (text, problem) => {
    expect(indexesProblem(text, 5)).toBe(problem);
  });

  it("overlap if they share an index", () => {
    expect(firstSharedIndex("0-2,6", "4,6-8", 10)).toBe(6);
    expect(firstSharedIndex("0-2", "3-4", 10)).toBeUndefined();
    expect(firstSharedIndex("x,1,3", "0,y,2-3", 10)).toBe(3);
    // Lists that are not in ascending order are rejected for that reason.
    expect(firstSharedIndex("3,1", "1", 10)).toBeUndefined();
  });
});

describe("a cron job", () => {
  it.each([
    ["*/5 * * * *", undefined],
    ["0 9-17/2 1,15 jan-jun MON", undefined],
    ["@hourly", undefined],
    ["@every 1h30m", undefined],
    ["TZ=Europe/Berlin 0 0 * * *", undefined],
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-3 * * * *", "beginning of range (5) beyond end of range (3): 5-3"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    [
      "99999999999999999999 * * * *",
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ["@fortnightly", "unrecognized descriptor: @fortnightly"],
    ["TZ=Nowhere/Land 0 0 * * *", "provided bad location Nowhere/Land: unknown time zone Nowhere/Land"],
  ])("reads the schedule %s", (schedule, problem) => {
    expect(scheduleProblem(schedule)).toBe(problem);
  });

  it("accepts time zones by name only", () => {
    expect(["Europe/Berlin", "UTC", "+02:00", "Nowhere"].map(isTimeZone)).toEqual([true, true, false, false]);
  });

  it("accepts all names of the time zone database, in the case in which they stand there, and no others", () => {
    for (const zone of [
      "US/Pacific",
      "GMT",
      "Zulu",
      "W-SU",
      "EST",
      "Etc/GMT+5",
      "Factory",
      "Asia/Calcutta",
      "Europe/Kyiv",
    ])
      expect(isTimeZone(zone), zone).toBe(true);
    for (const zone of ["europe/berlin", "utc", "gmt", "us/Pacific", "ACT", "PST", "SystemV/AST4", "US/Pacific-New"])
      expect(isTimeZone(zone), zone).toBe(false);
  });

  const cronJob = {
    metadata: { name: "nightly" },
    spec: { schedule: "0 0 * * *", concurrencyPolicy: "Allow", jobTemplate: { spec: { template } } },
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.schedule", "0 1 * * *"],
    ["spec.schedule", "", "spec.schedule: Required value"],
    [
      "spec.schedule",
      "TZ=UTC 0 0 * * *",
      'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
    ["spec.timeZone", "Nowhere", 'spec.timeZone: Invalid value: "Nowhere": unknown time zone Nowhere'],
    ["spec.timeZone", "", 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
    [
      "spec.concurrencyPolicy",
      "Odd",
      'spec.concurrencyPolicy: Unsupported value: "Odd": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      "spec.jobTemplate.spec.manualSelector",
      true,
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ],
    [
      "metadata.name",
      "n".repeat(53),
      `metadata.name: Invalid value: "${"n".repeat(53)}": must be no more than 52 characters`,
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(cronJobHooks, withValue(cronJob, path, value))).toEqual(problems);
  });
});
