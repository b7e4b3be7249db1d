import { tsImport } from 'tsx/esm/api';

// The thread where the sources themselves run: Node reads no TypeScript.
await tsImport('./planner-thread.ts', import.meta.url);
