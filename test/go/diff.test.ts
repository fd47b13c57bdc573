import { describe, expect, it } from "vitest";
import { diffAs } from "../../api-definitions/go-types.ts";

const container = { name: "main", image: "registry.invalid/app:1", resources: {}, imagePullPolicy: "IfNotPresent" };
const mount = { name: "kube-api-access-x", readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" };
const tokens = {
  name: "kube-api-access-x",
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 420,
  },
};
const pod = {
  volumes: [tokens],
  containers: [{ ...container, volumeMounts: [mount] }],
  restartPolicy: "Always",
  terminationGracePeriodSeconds: 30,
  dnsPolicy: "ClusterFirst",
  serviceAccountName: "default",
  securityContext: {},
};
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

describe("the difference of two values, as Kubernetes prints it", () => {
  it("is empty for equal values", () => {
    expect(diffAs("core.PodSpec", pod, structuredClone(pod))).toBe("");
    const same = { ...claim, resources: { requests: { storage: "1024Mi" } } };
    expect(diffAs("core.PersistentVolumeClaimSpec", claim, same)).toBe("");
  });

  it("shows a field that changed with two fields around it", () => {
    expect(diffAs("core.PodSpec", pod, { ...pod, nodeName: "n" })).toBe(`  core.PodSpec{
  	... // 9 identical fields
  	ServiceAccountName:           "default",
  	AutomountServiceAccountToken: nil,
- 	NodeName:                     "",
+ 	NodeName:                     "n",
  	SecurityContext:              &{},
  	ImagePullSecrets:             nil,
  	... // 20 identical fields
  }
`);
  });

  it("shows few of the equal fields", () => {
    const containers = [{ ...container, volumeMounts: [mount], command: ["x"] }];
    expect(diffAs("core.PodSpec", pod, { ...pod, containers })).toBe(`  core.PodSpec{
  	Volumes:        {{Name: "kube-api-access-x", VolumeSource: {Projected: &{Sources: {{ServiceAccountToken: &{ExpirationSeconds: 3607, Path: "token"}}, {ConfigMap: &{LocalObjectReference: {Name: "kube-root-ca.crt"}, Items: {{Key: "ca.crt", Path: "ca.crt"}}}}, {DownwardAPI: &{Items: {{Path: "namespace", FieldRef: &{APIVersion: "v1", FieldPath: "metadata.namespace"}}}}}}, DefaultMode: &420}}}},
  	InitContainers: nil,
  	Containers: []core.Container{
  		{
  			Name:       "main",
  			Image:      "registry.invalid/app:1",
- 			Command:    nil,
+ 			Command:    []string{"x"},
  			Args:       nil,
  			WorkingDir: "",
  			... // 19 identical fields
  		},
  	},
  	EphemeralContainers: nil,
  	RestartPolicy:       "Always",
  	... // 29 identical fields
  }
`);
  });

  it("shows removed values down to a maximum depth", () => {
    const { volumes: _tokens, ...bare } = pod;
    expect(
      diffAs("core.PodSpec", pod, { ...bare, containers: [container], serviceAccountName: "" }),
    ).toBe(`  core.PodSpec{
- 	Volumes: []core.Volume{
- 		{
- 			Name:         "kube-api-access-x",
- 			VolumeSource: core.VolumeSource{Projected: &core.ProjectedVolumeSource{...}},
- 		},
- 	},
+ 	Volumes:        nil,
  	InitContainers: nil,
  	Containers: []core.Container{
  		{
  			... // 9 identical fields
  			ResizePolicy:  nil,
  			RestartPolicy: nil,
- 			VolumeMounts: []core.VolumeMount{
- 				{
- 					Name:      "kube-api-access-x",
- 					ReadOnly:  true,
- 					MountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
- 				},
- 			},
+ 			VolumeMounts:  nil,
  			VolumeDevices: nil,
  			LivenessProbe: nil,
  			... // 10 identical fields
  		},
  	},
  	EphemeralContainers: nil,
  	RestartPolicy:       "Always",
  	... // 2 identical fields
  	DNSPolicy:                    "ClusterFirst",
  	NodeSelector:                 nil,
- 	ServiceAccountName:           "default",
+ 	ServiceAccountName:           "",
  	AutomountServiceAccountToken: nil,
  	NodeName:                     "",
  	... // 22 identical fields
  }
`);
  });

  it("shows quantities with their internal fields", () => {
    const grown = { ...claim, resources: { requests: { storage: "2Gi" } }, storageClassName: "fast" };
    expect(
      diffAs("core.PersistentVolumeClaimSpec", { ...claim, storageClassName: "fast" }, grown),
    ).toBe(`  core.PersistentVolumeClaimSpec{
  	AccessModes: {"ReadWriteOnce"},
  	Selector:    nil,
  	Resources: core.VolumeResourceRequirements{
  		Limits: nil,
- 		Requests: core.ResourceList{
- 			s"storage": {i: resource.int64Amount{value: 1073741824}, s: "1Gi", Format: "BinarySI"},
- 		},
+ 		Requests: core.ResourceList{
+ 			s"storage": {i: resource.int64Amount{value: 2147483648}, s: "2Gi", Format: "BinarySI"},
+ 		},
  	},
  	VolumeName:       "",
  	StorageClassName: &"fast",
  	... // 4 identical fields
  }
`);
    expect(
      diffAs("core.PersistentVolumeClaimSpec", claim, { ...claim, accessModes: ["ReadOnlyMany"] }),
    ).toBe(`  core.PersistentVolumeClaimSpec{
- 	AccessModes: []core.PersistentVolumeAccessMode{"ReadWriteOnce"},
+ 	AccessModes: []core.PersistentVolumeAccessMode{"ReadOnlyMany"},
  	Selector:    nil,
  	Resources:   {Requests: {s"storage": {i: {...}, s: "1Gi", Format: "BinarySI"}}},
  	... // 6 identical fields
  }
`);
  });

  it("uses String() of values behind pointers", () => {
    const selector = {
      matchLabels: { b: "2", a: "1" },
      matchExpressions: [{ key: "c", operator: "In", values: ["x", "y"] }],
    };
    expect(diffAs("core.PersistentVolumeClaimSpec", claim, { ...claim, selector })).toContain(`
- 	Selector:    nil,
+ 	Selector:    s"&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[x y],},},}",
`);
    const volumes = (emptyDir: object) => ({ volumes: [{ name: "v", emptyDir }] });
    expect(diffAs("core.PodSpec", volumes({}), volumes({ sizeLimit: "1Gi" }))).toContain(`
- 					SizeLimit: nil,
+ 					SizeLimit: s"1Gi",
`);
  });

  it("shows embedded structs by their names", () => {
    const debug = {
      name: "debug",
      image: "registry.invalid/app:1",
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
      imagePullPolicy: "IfNotPresent",
      targetContainerName: "main",
    };
    expect(diffAs("core.EphemeralContainer", debug, { ...debug, image: "other" })).toBe(`  core.EphemeralContainer{
  	EphemeralContainerCommon: core.EphemeralContainerCommon{
  		Name:    "debug",
- 		Image:   "registry.invalid/app:1",
+ 		Image:   "other",
  		Command: nil,
  		Args:    nil,
  		... // 20 identical fields
  	},
  	TargetContainerName: "main",
  }
`);
    const debugged = { ...pod, ephemeralContainers: [debug], activeDeadlineSeconds: 50 };
    expect(diffAs("core.PodSpec", debugged, { ...debugged, terminationGracePeriodSeconds: 1 })).toBe(`  core.PodSpec{
  	... // 3 identical fields
  	EphemeralContainers:           {{EphemeralContainerCommon: {Name: "debug", Image: "registry.invalid/app:1", TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File", ...}, TargetContainerName: "main"}},
  	RestartPolicy:                 "Always",
- 	TerminationGracePeriodSeconds: &30,
+ 	TerminationGracePeriodSeconds: &1,
  	ActiveDeadlineSeconds:         &50,
  	DNSPolicy:                     "ClusterFirst",
  	... // 26 identical fields
  }
`);
  });

  it("distinguishes changed items from added and removed ones", () => {
    const terms = (...names: string[]) => ({ tolerations: names.map((key) => ({ key, operator: "Exists" })) });
    expect(
      diffAs("core.PodSpec", terms("a", "b", "c"), terms("a", "c", "d", "e")),
    ).toContain(`  	Tolerations: []core.Toleration{
  		{Key: "a", Operator: "Exists"},
- 		{Key: "b", Operator: "Exists"},
  		{Key: "c", Operator: "Exists"},
+ 		{Key: "d", Operator: "Exists"},
+ 		{Key: "e", Operator: "Exists"},
  	},
`);
  });

  it("shows the fields of IntOrString", () => {
    const probing = (port: number | string | undefined) => ({ httpGet: { path: "/", port, scheme: "HTTP" } });
    expect(diffAs("core.ProbeHandler", probing(80), probing("http"))).toContain(`  		Port: intstr.IntOrString{
- 			Type:   0,
+ 			Type:   1,
- 			IntVal: 80,
+ 			IntVal: 0,
- 			StrVal: "",
+ 			StrVal: "http",
  		},
`);
    expect(diffAs("core.ProbeHandler", probing(80), probing(undefined))).toContain(`  			Type:   0,
- 			IntVal: 80,
+ 			IntVal: 0,
  			StrVal: "",
`);
  });

  it("shows only the metadata of a claim template", () => {
    const volumeClaimTemplate = { metadata: { labels: { a: "b" } }, spec: claim };
    expect(diffAs("core.EphemeralVolumeSource", { volumeClaimTemplate }, {})).toContain(
      '-   VolumeClaimTemplate: s"&ObjectMeta{Name:,GenerateName:,Namespace:,SelfLink:,UID:,ResourceVersion:,Generation:0,CreationTimestamp:0001-01-01 00:00:00 +0000 UTC,DeletionTimestamp:<nil>,DeletionGracePeriodSeconds:nil,Labels:map[string]string{a: b,},Annotations:map[string]string{},O'.replace(
        "   ",
        " \t",
      ),
    );
  });
});
