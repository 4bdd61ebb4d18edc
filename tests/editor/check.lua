-- The server in a real editor: Neovim, headless, on a copy of the demonstration project.
--
-- Run by `editor.run` as `nvim --clean --headless -l check.lua SERVER ROOT CONFIG`; SERVER is the Python
-- that runs ConfLens, CONFIG the configuration that we give to users (`server/editors/neovim`).
-- Every check waits for what the editor itself holds or draws (diagnostics,
-- hints, lenses, the hover window, buffers, the quickfix list), never for a message on the wire.  Prints one line per
-- check and exits with 1 when one failed.  Absent: anything about the protocol that `tests/e2e` shows.

local python, root, config = arg[1], arg[2], arg[3]
local sources = root .. "/src/main/java/org/example/parcel/"
local started = vim.uv.hrtime()
local failed, exit = 0, nil

local function say(...)
  io.stdout:write(string.format("%5.1f s  ", (vim.uv.hrtime() - started) / 1e9), string.format(...), "\n")
end

--- Waits until `probe` returns a truthy value, which becomes part of the transcript.
local function check(what, probe)
  local seen
  local ok = vim.wait(10000, function()
    seen = probe()
    return seen
  end, 20)
  failed = failed + (ok and 0 or 1)
  say("%s  %s%s", ok and "ok  " or "FAIL", what, type(seen) == "string" and ": " .. seen or "")
  return ok
end

--- Opens a file in a window of its own: Neovim asks for new hints only where they can be seen.
local function open(name)
  vim.cmd.split((name:find("%.java$") and sources or root .. "/") .. name)
  return vim.api.nvim_get_current_buf()
end

--- The 1-based line and column of `text`.
local function find(buffer, text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return number, column
    end
  end
  error("not in the file: " .. text)
end

local function substitute(buffer, old, new)
  local number, column = find(buffer, old)
  vim.api.nvim_buf_set_text(buffer, number - 1, column - 1, number - 1, column - 1 + #old, { new })
end

local function diagnostic(buffer, code)
  for _, item in ipairs(vim.diagnostic.get(buffer)) do
    if item.code == code then
      return string.format("line %d, %s", item.lnum + 1, item.message)
    end
  end
end

-- The name that a hint shows, and all of it with the effect.
local function hint(buffer, text)
  local line = find(buffer, text) - 1
  for _, item in ipairs(vim.lsp.inlay_hint.get({ bufnr = buffer })) do
    if item.inlay_hint.position.line == line then
      local label = item.inlay_hint.label
      if type(label) == "string" then
        return label, label
      end
      local parts = vim.tbl_map(function(part)
        return part.value
      end, label)
      return parts[1], table.concat(parts)
    end
  end
end

-- The lens of a declaration: what the option does, and how often it is read.
local function lens(buffer, text)
  local line = find(buffer, text) - 1
  for _, item in ipairs(vim.lsp.codelens.get(buffer)) do
    if item.range.start.line == line and item.command and item.command.title:find("read") then
      return item.command.title
    end
  end
end

--- The lines of the floating window that `vim.lsp.buf.hover()` opens on `text`.
local function hover(buffer, text)
  local number, column = find(buffer, text)
  vim.api.nvim_win_set_cursor(0, { number, column })
  vim.lsp.buf.hover({ silent = true })
  local lines
  vim.wait(2000, function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end, 20)
  return lines and table.concat(lines, " | ")
end

--- The text of an open buffer.
local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

--- What the quickfix list shows: its title and its entries.
local function quickfix()
  local found = vim.fn.getqflist({ title = true, items = true })
  vim.cmd.cclose()
  return found.title, found.items
end

local refused
vim.notify = function(message, level)
  if level and level >= vim.log.levels.WARN then
    refused = message
  end
end
vim.lsp.config("conflens", dofile(config))
vim.lsp.config("conflens", {
  cmd = { python, "-m", "conflens", "serve", "--stdio" },
  settings = { conflens = { annotations = { show = "all" } } },
  on_exit = function(code, signal)
    exit = { code, signal }
  end,
})
vim.lsp.enable("conflens")
vim.cmd.filetype("on")

say("Neovim %s", tostring(vim.version()))
local cache = open("Cache.java")
check("an option that is read for nothing is a diagnostic", function()
  local found = diagnostic(cache, "dead-option")
  return found and found:find("line 14, cache.statistics has no effect", 1, true) and found
end)
check("a hint shows the name behind a constant", function()
  local found = hint(cache, "Keys.CACHE_ENTRIES")
  return found == "cache.entries" and found
end)
check("a hover tells name, default and where documented", function()
  local found = hover(cache, "CACHE_ENTRIES")
  return found
    and found:find("`cache.entries`", 1, true)
    and found:find("Default `10000`", 1, true)
    and found:find("options.md:8", 1, true)
    and found
end)

local keys = open("Keys.java")
check("a lens counts the reads of a constant", function()
  vim.lsp.codelens.refresh({ bufnr = keys })
  local found = lens(keys, "String RETRY_LIMIT")
  return found and found:find("2 reads$") and found
end)
vim.ui.select = function(items, _, choose)
  choose(items[1], 1)
end
vim.api.nvim_win_set_cursor(0, { find(keys, "String RETRY_LIMIT"), 0 })
vim.lsp.codelens.run()
check("running the lens lists the reads", function()
  local title, items = quickfix()
  return title:find("2 reads$") and #items == 2 and vim.fs.basename(vim.fn.bufname(items[1].bufnr))
end)

local delivery = open("Delivery.java")
check("a hint says what a read does", function()
  local _, found = hint(delivery, "Keys.RETRY_LIMIT, 5")
  return found and (found:find("decides", 1, true) or found:find("repeats", 1, true)) and found
end)
check("a hover links the operations that an option reaches", function()
  local found = hover(delivery, "RETRY_LIMIT, 5")
  return found
    and found:find("Reaches `Thread.sleep(…)`", 1, true)
    and found:find("Delivery.java:17", 1, true)
    and found:match("Reaches [^\n]*")
end)
check("a hover at an operation tells who reaches it", function()
  local found = hover(delivery, "sleep(")
  return found and found:find("Reached by", 1, true) and found:find("`retry.limit`", 1, true) and found
end)
check("a lens tells what an option does", function()
  vim.lsp.codelens.refresh({ bufnr = keys })
  local line = find(keys, "String RETRY_LIMIT") - 1
  for _, item in ipairs(vim.lsp.codelens.get(keys)) do
    local title = item.range.start.line == line and item.command and item.command.title
    if title and (title:find("decides", 1, true) or title:find("repeats", 1, true)) then
      return title
    end
  end
end)
check("differing defaults are a diagnostic", function()
  return diagnostic(delivery, "conflicting-default")
end)

check("a code action writes a verdict into the workspace file", function()
  vim.cmd.buffer(keys)
  local number, column = find(keys, "RETRY_LIMIT")
  vim.api.nvim_win_set_cursor(0, { number, column })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == "Mark retry.limit as not performance-sensitive"
    end,
  })
  local lines
  vim.wait(2000, function()
    local buffer = vim.fn.bufnr(root .. "/.conflens.toml")
    lines = buffer > 0 and table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), " | ")
    return lines and lines:find("verdict", 1, true)
  end, 20)
  local wanted = '[verdict."retry.limit"] | sensitive = false | reason = "set in the editor"'
  return lines and lines:find(wanted, 1, true) and wanted
end)

local properties = open("conf/parcel.properties")
check("a config file says what its keys are", function()
  local found = hover(properties, "store.folder")
  return found and found:find("Folder that holds the journal", 1, true) and "store.folder: Folder that holds the journal"
end)
vim.api.nvim_buf_set_lines(properties, -1, -1, false, { "retry.limt=4" })
check("a slip in a key is a diagnostic", function()
  return diagnostic(properties, "unknown-option")
end)
vim.api.nvim_win_set_cursor(0, { find(properties, "retry.limt"), 2 })
vim.lsp.buf.code_action({
  apply = true,
  filter = function(action)
    return action.kind == "quickfix" and action.title:find("retry.limit", 1, true)
  end,
})
check("and its fix mends it", function()
  return text(properties):find("retry.limit=4", 1, true) and "retry.limit=4"
end)
check("and ends the diagnostic", function()
  return not diagnostic(properties, "unknown-option")
end)
vim.api.nvim_buf_set_lines(properties, -1, -1, false, { "retry.de" })
vim.api.nvim_win_set_cursor(0, { (find(properties, "retry.de")), 8 })
check("a key is completed", function()
  local client = vim.lsp.get_clients({ name = "conflens" })[1]
  local asked = vim.lsp.util.make_position_params(0, client.offset_encoding)
  asked.position.character = 8
  local answer = client:request_sync("textDocument/completion", asked, 2000, properties)
  local item = answer and answer.result and answer.result.items[1]
  if not item then
    return
  end
  vim.lsp.util.apply_text_edits({ item.textEdit }, properties, client.offset_encoding)
  return text(properties):match("\n(retry%.delay%.ms[^\n]*)")
end)
check("what is completed is known", function()
  local found = hover(properties, "retry.delay")
  return found and found:find("`retry.delay.ms`", 1, true) and "retry.delay.ms"
end)

-- This editor does not show changes before it makes them, so the config file, which is to be confirmed, stays.
vim.cmd.buffer(keys)
local at, column = find(keys, '"retry.limit"')
vim.api.nvim_win_set_cursor(0, { at, column + 2 })
vim.lsp.buf.rename("retry.count")
check("a name is renamed where it is surely the option", function()
  return text(properties):find("retry.limit=4", 1, true)
    and text(keys):find('RETRY_LIMIT = "retry.count"', 1, true)
    and "retry.count"
end)

vim.cmd.buffer(delivery)
vim.fn.mkdir(root .. "/.conflens/profiles", "p")
local profile = assert(io.open(root .. "/.conflens/profiles/slow.collapsed", "w"))
profile:write("org/example/parcel/Main.main;org/example/parcel/Delivery.deliver 90\n")
profile:write("org/example/parcel/Main.main;org/example/parcel/Cache.label 10\n")
profile:close()
check("a profile that appears in the project is shown above the hot method", function()
  vim.lsp.codelens.refresh({ bufnr = delivery })
  local line = find(delivery, "boolean deliver") - 1
  for _, item in ipairs(vim.lsp.codelens.get(delivery)) do
    local title = item.range.start.line == line and item.command and item.command.title
    if title and title:find("90 %", 1, true) then
      return title
    end
  end
end)
check("a lens names the options behind a hot method", function()
  vim.lsp.codelens.refresh({ bufnr = delivery })
  local line = find(delivery, "boolean deliver") - 1
  for _, item in ipairs(vim.lsp.codelens.get(delivery)) do
    local title = item.range.start.line == line and item.command and item.command.title
    if title and title:find("retry.count", 1, true) then
      return title
    end
  end
end)
vim.ui.select = function(items, _, choose)
  for number, item in ipairs(items) do
    if item.text and item.text:find("retry.count", 1, true) then
      return choose(item, number)
    end
  end
  choose(items[1], 1)
end
vim.api.nvim_win_set_cursor(0, { find(delivery, "boolean deliver"), 0 })
vim.lsp.codelens.run()
check("running it lists the steps of the chain in order", function()
  local title, items = quickfix()
  return title:find("retry.count", 1, true)
    and #items > 1
    and items[1].text:find("read", 1, true)
    and string.format("%s (%d steps)", title, #items)
end)

vim.cmd.buffer(keys)
substitute(keys, '"cache.entries"', '"retry.größe"')
check("an edit of the constant changes the hint in another file", function()
  local found = hint(cache, "Keys.CACHE_ENTRIES")
  return found == "retry.größe" and found
end)
check("and makes the option undocumented", function()
  local found = diagnostic(keys, "undocumented-option")
  return found and found:find("retry.größe", 1, true) and found
end)
substitute(cache, "settings.flag", "boolean used = settings.flag")
substitute(cache, "CACHE_STATISTICS);", "CACHE_STATISTICS); if (used) { label(1); }")
check("using the value ends the diagnostic", function()
  return not diagnostic(cache, "dead-option")
end)

check("nothing was refused", function()
  return not refused
end)
for _, client in ipairs(vim.lsp.get_clients()) do
  client:stop()
end
check("the server stops by itself", function()
  return exit and exit[1] == 0 and exit[2] == 0 and "exit code 0"
end)
say("%s", failed == 0 and "editor test passed" or string.format("editor test FAILED: %d checks", failed))
os.exit(failed == 0 and 0 or 1)
