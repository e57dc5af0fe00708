// graphile-worker, told over stdin what to do: "enqueue N", "start", "stop". Prints "ok" after each, and "handled N" meanwhile.
import { makeWorkerUtils, run } from "graphile-worker";
import { serve, told } from "./told.mjs";

const concurrency = 24;
const size = Number(process.argv[2]);
const connectionString = process.env.PEER_URL;
const utils = await makeWorkerUtils({ connectionString });
await utils.migrate();
let runner;

await serve({
  enqueue: count => utils.withPgClient(client => client.query(
    `select graphile_worker.add_jobs(array(
       select json_populate_record(null::graphile_worker.job_spec,
         json_build_object('identifier', 'message', 'payload', json_build_object('id', i)))
       from generate_series(1, $1::int) i))`, [count])),
  start: async () => {
    runner = await run({
      preset: {
        worker: {
          connectionString,
          concurrentJobs: concurrency,
          maxPoolSize: concurrency + 1,
          localQueue: { size },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
      noHandleSignals: true,
      taskList: { message: async () => told(1) },
    });
  },
  stop: () => runner.stop(),
});
await utils.release();
