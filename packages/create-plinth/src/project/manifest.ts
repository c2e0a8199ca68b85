// package.json, and for TypeScript the settings of the compiler, which only editors and `npm run types` use.

import { dependenciesOf } from '../packages.ts'
import type { ApplicationSource, Files } from './files-by-path.ts'

/** `isOfV4`: files of v4 are CommonJS in JavaScript, and their parameters have no types in TypeScript. */
export function manifestFiles({ choices, ranges, more }: ApplicationSource, isOfV4 = false): Files {
  const { name, language } = choices
  const packages = dependenciesOf(choices, ranges, more)
  const tests = `**/*.test.${language === 'ts' ? 'ts' : 'mjs'}`
  const manifest = {
    name,
    version: '0.0.0',
    private: true,
    ...((!isOfV4 || language === 'ts') && { type: 'module' }),
    engines: { node: '>=22.18' },
    scripts: {
      dev: 'plinth dev',
      start: 'plinth start',
      // Tests of generated plugins stand beside them in src.
      test: `node --test "test/${tests}" "src/${tests}"`,
      migrate: 'plinth migrate',
      ...(language === 'ts' && { types: 'tsc' }),
    },
    ...Object.fromEntries(Object.entries(packages).filter(([, one]) => Object.keys(one).length > 0)),
  }
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    ...(language === 'ts' && { 'tsconfig.json': `${JSON.stringify(compilerFor(isOfV4), null, 2)}\n` }),
  }
}

const compilerFor = (isOfV4: boolean) => ({
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    ...(isOfV4 && { noImplicitAny: false }),
    noUncheckedIndexedAccess: true,
    // Node removes the types and compiles nothing.
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['config', 'src', 'test', 'types'],
})
