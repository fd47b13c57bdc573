import type { MetricSpec, MetricStatus, MetricTarget } from "./v2/metrics.ts";
import type { MetricSpec as FlatSpec, MetricStatus as FlatStatus } from "./v2beta1/metrics.ts";

/**
 * Before v2beta2 name, selector and values of a metric were side by side; since then they are in `metric`, `target` and
 * `current`. autoscaling/v1 has metrics in this form in its annotations.
 */
export function flattenSpec({ type, object, pods, resource, containerResource, external }: MetricSpec): FlatSpec {
  return {
    type,
    ...(object && {
      object: {
        target: object.describedObject,
        metricName: object.metric.name,
        targetValue: object.target.value ?? "0",
        ...(object.metric.selector && { selector: object.metric.selector }),
        ...(object.target.averageValue !== undefined && { averageValue: object.target.averageValue }),
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        targetAverageValue: pods.target.averageValue ?? "0",
        ...(pods.metric.selector && { selector: pods.metric.selector }),
      },
    }),
    ...(resource && { resource: { name: resource.name, ...flatTarget(resource.target) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...flatTarget(containerResource.target),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...(external.metric.selector && { metricSelector: external.metric.selector }),
        ...(external.target.value !== undefined && { targetValue: external.target.value }),
        ...(external.target.averageValue !== undefined && { targetAverageValue: external.target.averageValue }),
      },
    }),
  };
}

export function nestSpec({ type, object, pods, resource, containerResource, external }: FlatSpec): MetricSpec {
  return {
    type,
    ...(object && {
      object: {
        describedObject: object.target,
        target: {
          type: object.averageValue === undefined ? "Value" : "AverageValue",
          value: object.targetValue,
          ...(object.averageValue !== undefined && { averageValue: object.averageValue }),
        },
        metric: identifier(object.metricName, object.selector),
      },
    }),
    ...(pods && {
      pods: {
        metric: identifier(pods.metricName, pods.selector),
        target: { type: "AverageValue", averageValue: pods.targetAverageValue },
      },
    }),
    ...(resource && { resource: { name: resource.name, target: nestedTarget(resource) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        target: nestedTarget(containerResource),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external.metricName, external.metricSelector),
        target: {
          type: external.targetValue === undefined ? "AverageValue" : "Value",
          ...(external.targetValue !== undefined && { value: external.targetValue }),
          ...(external.targetAverageValue !== undefined && { averageValue: external.targetAverageValue }),
        },
      },
    }),
  };
}

export function flattenStatus({ type, object, pods, resource, containerResource, external }: MetricStatus): FlatStatus {
  return {
    type,
    ...(object && {
      object: {
        target: object.describedObject,
        metricName: object.metric.name,
        currentValue: object.current.value ?? "0",
        ...(object.metric.selector && { selector: object.metric.selector }),
        ...(object.current.averageValue !== undefined && { averageValue: object.current.averageValue }),
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        currentAverageValue: pods.current.averageValue ?? "0",
        ...(pods.metric.selector && { selector: pods.metric.selector }),
      },
    }),
    ...(resource && { resource: { name: resource.name, ...flatCurrent(resource.current) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...flatCurrent(containerResource.current),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        ...(external.metric.selector && { metricSelector: external.metric.selector }),
        currentValue: external.current.value ?? "0",
        ...(external.current.averageValue !== undefined && { currentAverageValue: external.current.averageValue }),
      },
    }),
  };
}

export function nestStatus({ type, object, pods, resource, containerResource, external }: FlatStatus): MetricStatus {
  return {
    type,
    ...(object && {
      object: {
        metric: identifier(object.metricName, object.selector),
        current: {
          value: object.currentValue,
          ...(object.averageValue !== undefined && { averageValue: object.averageValue }),
        },
        describedObject: object.target,
      },
    }),
    ...(pods && {
      pods: {
        metric: identifier(pods.metricName, pods.selector),
        current: { averageValue: pods.currentAverageValue },
      },
    }),
    ...(resource && { resource: { name: resource.name, current: nestedCurrent(resource) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        current: nestedCurrent(containerResource),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metric: identifier(external.metricName, external.metricSelector),
        current: {
          value: external.currentValue,
          ...(external.currentAverageValue !== undefined && { averageValue: external.currentAverageValue }),
        },
      },
    }),
  };
}

type Identifier = NonNullable<MetricSpec["pods"]>["metric"];
type Current = NonNullable<MetricStatus["pods"]>["current"];
type FlatResourceSpec = NonNullable<FlatSpec["resource"]>;
type FlatResourceStatus = NonNullable<FlatStatus["resource"]>;

function identifier(name: string, selector: Identifier["selector"]): Identifier {
  return { name, ...(selector && { selector }) };
}

function flatTarget({ averageUtilization, averageValue }: MetricTarget): Omit<FlatResourceSpec, "name"> {
  return {
    ...(averageUtilization !== undefined && { targetAverageUtilization: averageUtilization }),
    ...(averageValue !== undefined && { targetAverageValue: averageValue }),
  };
}

function nestedTarget({ targetAverageUtilization, targetAverageValue }: Omit<FlatResourceSpec, "name">): MetricTarget {
  return {
    type: targetAverageUtilization === undefined ? "AverageValue" : "Utilization",
    ...(targetAverageValue !== undefined && { averageValue: targetAverageValue }),
    ...(targetAverageUtilization !== undefined && { averageUtilization: targetAverageUtilization }),
  };
}

function flatCurrent({ averageUtilization, averageValue }: Current): Omit<FlatResourceStatus, "name"> {
  return {
    ...(averageUtilization !== undefined && { currentAverageUtilization: averageUtilization }),
    currentAverageValue: averageValue ?? "0",
  };
}

/** A flat status that has only the utilization has an average value of 0. */
function nestedCurrent(status: Omit<FlatResourceStatus, "name">): Current {
  const { currentAverageValue: averageValue, currentAverageUtilization: averageUtilization } = status;
  return {
    ...(!(averageValue === "0" && averageUtilization !== undefined) && { averageValue }),
    ...(averageUtilization !== undefined && { averageUtilization }),
  };
}
