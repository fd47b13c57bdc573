import { connect } from "typeplane/client";
import { manager } from "typeplane/controller";
import { zoneRecords } from "./host-records.ts";

/** Runs the controller until the process gets SIGTERM. If several such processes run, only one is active at a time. */
const client = await connect();
await manager({ client, controllers: [zoneRecords], leaderElection: { name: "dns" } }).run();
