// The files for a container: it holds production packages, the settings and the code, and nothing of the developer's
// data.

import { tarballFolder } from '../packages.ts'
import type { Files } from './files-by-path.ts'

/** The program of the command `plinth`, run by node itself: npm and shells would keep SIGTERM to themselves. */
export const program = 'node_modules/@plinth/cli/dist/bin.js'

// A database that does not answer is not a reason to replace the container, so it is asked whether the process lives.
const health =
  "fetch('http://127.0.0.1:'+(process.env.PORT||1337)+'/_health/live').then(a=>process.exit(a.ok?0:1),()=>process.exit(1))"

/**
 * `hasTarballs`: whether packages are installed from files of the application. `data`: the folders of the database of
 * SQLite and of local files, which are volumes.
 */
export function containerFiles(hasTarballs: boolean, data: readonly string[] = ['.data']): Files {
  return {
    Dockerfile: `# Builds the application. README.md says how the container is run.

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
${hasTarballs ? `COPY ${tarballFolder} ./${tarballFolder}\n` : ''}RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=1337
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY config ./config
COPY database ./database
COPY src ./src
# The data of SQLite and local files. The application runs as a user who may write nothing else.
RUN mkdir -p ${data.join(' ')} && chown node:node ${data.join(' ')}
USER node
VOLUME ${data.map(one => `/app/${one}`).join(' ')}
EXPOSE 1337
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "${health}"]
# Node itself is the process of the container, so that SIGTERM reaches it.
CMD ["node", "${program}", "start"]
`,
    '.dockerignore': `${['node_modules', '.env', '.env.*', '.data', '.tmp', 'public/uploads', '.git', 'test', '*.log'].join('\n')}\n`,
  }
}
