// The protocol of the programs here: a line on stdin is a verb and a number, and is answered with "ok" when it is done.
import { createInterface } from "node:readline";

let handled = 0;

/** Counts messages as handled; they are printed together every few milliseconds. */
export function told(count) {
  handled += count;
}

/** Does what stdin says until it ends; verbs that come while others are at work do not wait for them. */
export async function serve(verbs) {
  const printing = setInterval(() => {
    if (handled > 0) {
      console.log(`handled ${handled}`);
      handled = 0;
    }
  }, 5);
  console.log("ok");
  const atWork = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, count] = line.split(" ");
    atWork.push(Promise.resolve(verbs[verb](Number(count))).then(() => console.log("ok")));
  }
  await Promise.all(atWork);
  clearInterval(printing);
}
