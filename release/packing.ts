// Runs before a package is packed or published, and refuses every tool but pnpm: only pnpm replaces `exports`, which lead to
// `src`, by those of `publishConfig`. What another tool packs leads to files that are not in it.

const tool = process.env.npm_config_user_agent?.split('/')[0] ?? 'an unknown tool'
if (tool !== 'pnpm') {
  console.error(
    `Packed by ${tool}, the package would refer to files that it does not contain. Use pnpm pack or pnpm publish.`,
  )
  process.exitCode = 1
}
