// The protocol of the programs here: a line on stdin is a verb and a number, and is answered with "ok".
import { createInterface } from "node:readline";

let handled = 0;

/** Counts messages as handled; they are printed together every few milliseconds. */
export function told(count) {
  handled += count;
}

/** Does what stdin says until it ends. */
export async function serve(verbs) {
  const printing = setInterval(() => {
    if (handled > 0) {
      console.log(`handled ${handled}`);
      handled = 0;
    }
  }, 5);
  console.log("ok");
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, count] = line.split(" ");
    await verbs[verb](Number(count));
    console.log("ok");
  }
  clearInterval(printing);
}
