// Leaves out a warning of Node that is wrong advice for a project of Strapi v4. Knows nothing of what is run.

/**
 * Node warns of TypeScript with `import` in a folder whose package.json has no `type`, and advises to write `"type": "module"`
 * there. With that line v4 does not start any more, because it builds CommonJS. Other warnings are printed as before.
 */
export function leaveOutModuleAdvice(): void {
  const printers = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', warning => {
    if ((warning as NodeJS.ErrnoException).code === 'MODULE_TYPELESS_PACKAGE_JSON') return
    for (const print of printers) print.call(process, warning)
  })
}
