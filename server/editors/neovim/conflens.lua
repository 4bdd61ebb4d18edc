--- ConfLens in Neovim 0.11 or later.
--
-- Copy this file to ~/.config/nvim/lsp/conflens.lua and write `vim.lsp.enable("conflens")` into init.lua.
-- It runs beside jdtls.  `:ConfLensImport FILE` takes a profile as the slow run, with `!` as the good one to compare with.

local commands = {}

--- Shows places, which the server gives as LSP locations, in the quickfix list; a single one is opened.
local function show(title, client, locations, texts)
  if #locations == 1 then
    vim.lsp.util.show_document(locations[1], client.offset_encoding, { focus = true })
    return
  end
  local items = vim.lsp.util.locations_to_items(locations, client.offset_encoding)
  if texts then
    -- Steps have an order, and `locations_to_items` sorts.
    items = {}
    for number, location in ipairs(locations) do
      local item = vim.lsp.util.locations_to_items({ location }, client.offset_encoding)[1]
      item.text = texts[number]
      items[number] = item
    end
  end
  vim.fn.setqflist({}, " ", { title = title, items = items })
  vim.cmd("botright copen")
end

commands["conflens.showReferences"] = function(command, context)
  show(command.title, vim.lsp.get_client_by_id(context.client_id), command.arguments[3])
end

--- Goes through a cause-effect chain: from the read of an option to what it makes slow.
commands["conflens.showChain"] = function(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local folder, chains = command.arguments[1], command.arguments[2]
  vim.ui.select(chains, {
    prompt = "Option",
    format_item = function(chain)
      return chain.text
    end,
  }, function(chain)
    if not chain then
      return
    end
    local params = { folder = folder, option = chain.option, cause = chain.cause }
    client:request("conflens/chainSteps", params, function(failure, found)
      if failure or not found then
        vim.notify(failure and failure.message or "This chain is gone.", vim.log.levels.WARN)
        return
      end
      local locations, texts = {}, {}
      for number, step in ipairs(found.steps) do
        locations[number], texts[number] = step.location, step.label
      end
      show(found.title, client, locations, texts)
    end)
  end)
end

local function on_attach(client, buffer)
  vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  vim.api.nvim_create_autocmd({ "BufEnter", "CursorHold", "InsertLeave" }, {
    buffer = buffer,
    callback = function()
      vim.lsp.codelens.refresh({ bufnr = buffer })
    end,
  })
  vim.api.nvim_buf_create_user_command(buffer, "ConfLensImport", function(call)
    local params = {
      uri = vim.uri_from_fname(vim.fn.fnamemodify(call.args, ":p")),
      role = call.bang and "baseline" or "violation",
    }
    client:request("conflens/importSnapshot", params, function(failure, row)
      local text = failure and failure.message or ("Imported " .. row.name .. " as " .. row.role)
      vim.notify(text, failure and vim.log.levels.ERROR or vim.log.levels.INFO)
    end, buffer)
  end, { nargs = 1, bang = true, complete = "file" })
end

local capabilities = vim.lsp.protocol.make_client_capabilities()
capabilities.experimental = { commands = { commands = vim.tbl_keys(commands) } }

return {
  cmd = { "conflens", "serve", "--stdio" },
  filetypes = {
    "java",
    "jproperties",
    "yaml",
    "toml",
    "xml",
    "hocon",
    "conf",
    "cfg",
    "sh",
    "dockerfile",
  },
  root_markers = { ".conflens.toml", "pom.xml", "build.gradle", "build.gradle.kts", "build.xml", ".git" },
  capabilities = capabilities,
  commands = commands,
  on_attach = on_attach,
  settings = { conflens = vim.empty_dict() },
}
