/**
 * Prometheus' own check of the alert rules, and the plays against them: `npm run alerts`, part of `npm run check`.
 * promtool comes with Prometheus (Debian: the package prometheus). Where there is none, that is said and does not fail.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const cwd = join(import.meta.dirname, "../docs/operations");
const commands = [
  ["check", "rules", "alerts.yml"],
  ["test", "rules", "alerts.test.yml"],
];
for (const command of commands) {
  const { error, status, stdout, stderr } = spawnSync("promtool", command, { cwd, encoding: "utf8" });
  if (error && "code" in error && error.code === "ENOENT") {
    process.stdout.write("alerts: SKIPPED, there is no promtool here (Debian: apt-get install prometheus)\n");
    break;
  }
  if (error) throw error;
  process.stdout.write(`alerts: promtool ${command.join(" ")}: ${status === 0 ? "passed" : "FAILED"}\n`);
  if (status !== 0) {
    process.stdout.write(`${stdout}${stderr}`);
    process.exitCode = 1;
  }
}
