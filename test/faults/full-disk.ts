/** Preloaded into a process of the app: while the file FULL_DISK_FLAG exists, nothing more can be written to files. */
import fs, { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const flag = process.env["FULL_DISK_FLAG"] ?? "";

function refuse(): void {
  if (!existsSync(flag)) return;
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    errno: -28,
    syscall: "write",
  });
}

const writeSync = fs.writeSync.bind(fs);
Object.assign(fs, {
  // Standard output and error go to pipes, which need no disk.
  writeSync: (file: number, ...rest: unknown[]): unknown => {
    if (file > 2) refuse();
    return Reflect.apply(writeSync, fs, [file, ...rest]);
  },
});
for (const name of ["ftruncateSync", "mkdirSync"] as const) {
  const original: unknown = fs[name];
  Object.assign(fs, {
    [name]: (...given: unknown[]): unknown => {
      refuse();
      return typeof original === "function" ? Reflect.apply(original, fs, given) : undefined;
    },
  });
}
syncBuiltinESMExports();
