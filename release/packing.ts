// Runs before a package is packed or published, and refuses every tool except pnpm: only pnpm replaces `exports`, which
// lead to `src`, by those of `publishConfig`. With other tools the manifest would name files that are not packed.

const tool = process.env.npm_config_user_agent?.split('/')[0] ?? 'an unknown tool'
if (tool !== 'pnpm') {
  console.error(
    `Packed by ${tool}, the package would refer to files that it does not contain. Use pnpm pack or pnpm publish.`,
  )
  process.exitCode = 1
}
