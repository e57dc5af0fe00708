// pg-boss by its own fetch and complete in batches, told over stdin what to do: "enqueue N", "start", "stop".
import PgBoss from "pg-boss";
import { serve, told } from "./told.mjs";

const batchSize = Number(process.argv[2]);
const queue = "message";
const boss = new PgBoss({ connectionString: process.env.PEER_URL, supervise: false, schedule: false });
boss.on("error", failure => console.error(failure));
await boss.start();
await boss.createQueue(queue);
const loops = 2;
let working = false;
let ended = Promise.resolve();

async function work() {
  while (working) {
    const jobs = await boss.fetch(queue, { batchSize });
    if (jobs.length > 0) {
      await boss.complete(queue, jobs.map(job => job.id));
      told(jobs.length);
    } else {
      await new Promise(resolve => setTimeout(resolve, 2));
    }
  }
}

await serve({
  enqueue: count => boss.insert(Array.from({ length: count }, (_, id) => ({ name: queue, data: { id } }))),
  start: () => {
    working = true;
    ended = Promise.all(Array.from({ length: loops }, work));
  },
  stop: () => {
    working = false;
    return ended;
  },
});
await boss.stop({ graceful: false });
