"""Everything that is only written down: created, found, got, listed, updated, patched, deleted."""

import expect


def walk(metal, exceptions):
    node = metal.create_node(driver="fake-hardware", name="holder", provision_state="enroll")
    chassis(metal, exceptions)
    port_groups_and_ports(metal, exceptions, node)
    volumes(metal, exceptions, node)
    deploy_templates(metal, exceptions)
    drivers_and_conductors(metal, exceptions)
    metal.delete_node(node)


def replace(path, value):
    return [{"op": "replace", "path": path, "value": value}]


def gone(exceptions, get, delete, ident):
    """It is found no more; deleted once more it is missed only where that is asked for."""
    expect.refused(exceptions.ResourceNotFound, get, ident)
    expect.equal(delete(ident), None)
    expect.refused(exceptions.ResourceNotFound, delete, ident, ignore_missing=False)


def chassis(metal, exceptions):
    made = metal.create_chassis(description="row 23", extra={"a": 1})
    expect.equal(metal.get_chassis(made.id).description, "row 23")
    expect.equal(metal.get_chassis(made.id, fields=["extra"]).extra, {"a": 1})
    expect.equal(metal.find_chassis(made.id).id, made.id)
    expect.equal([one.id for one in metal.chassis(details=True)], [made.id])
    expect.equal(metal.update_chassis(made, description="row 24").description, "row 24")
    expect.equal(metal.patch_chassis(made, replace("/extra/a", 2)).extra, {"a": 2})
    metal.delete_chassis(made)
    gone(exceptions, metal.get_chassis, metal.delete_chassis, made.id)


def port_groups_and_ports(metal, exceptions, node):
    group = metal.create_port_group(node_id=node.id, name="bond.1", mode="802.3ad", properties={"miimon": "100"})
    expect.equal(metal.get_port_group("bond.1").id, group.id)
    expect.equal(metal.find_port_group("bond.1").mode, "802.3ad")
    expect.equal([one.name for one in metal.port_groups(details=True, node=node.id)], ["bond.1"])
    expect.equal(metal.update_port_group(group, address="52:54:00:AA:00:01").address, "52:54:00:aa:00:01")
    expect.equal(metal.patch_port_group(group, replace("/mode", "active-backup")).mode, "active-backup")

    port = metal.create_port(node_id=node.id, address="52:54:00:AA:00:02", port_group_id=group.id, is_pxe_enabled=True)
    expect.equal(port.address, "52:54:00:aa:00:02")
    expect.equal(metal.get_port(port.id).port_group_id, group.id)
    expect.equal(metal.find_port(port.id).id, port.id)
    expect.equal(metal.get_port(port.id, fields=["address"]).address, port.address)
    expect.equal([one.id for one in metal.ports(details=True, address=port.address)], [port.id])
    expect.equal([one.id for one in metal.ports(node=node.id, fields=["uuid"])], [port.id])
    expect.equal(metal.update_port(port, physical_network="net1").physical_network, "net1")
    expect.equal(metal.patch_port(port, replace("/pxe_enabled", False)).is_pxe_enabled, False)
    metal.delete_port(port)
    gone(exceptions, metal.get_port, metal.delete_port, port.id)
    metal.delete_port_group(group)
    gone(exceptions, metal.get_port_group, metal.delete_port_group, group.id)


def volumes(metal, exceptions, node):
    connector = metal.create_volume_connector(node_id=node.id, type="iqn", connector_id="iqn.2026-11.org.example:1")
    target = metal.create_volume_target(
        node_id=node.id, volume_type="iscsi", boot_index=0, volume_id="v-1", properties={"lun": 1}
    )
    metal.set_node_power_state(node.id, "power off", wait=True, timeout=60)
    expect.equal(metal.get_volume_connector(connector.id).type, "iqn")
    expect.equal(metal.find_volume_connector(connector.id).id, connector.id)
    expect.equal([one.id for one in metal.volume_connectors(details=True, node=node.id)], [connector.id])
    expect.equal(metal.update_volume_connector(connector, connector_id="iqn.2").connector_id, "iqn.2")
    expect.equal(metal.patch_volume_connector(connector, replace("/type", "ip")).type, "ip")
    expect.equal(metal.get_volume_target(target.id).boot_index, 0)
    expect.equal(metal.find_volume_target(target.id).id, target.id)
    expect.equal([one.id for one in metal.volume_targets(details=True, node=node.id)], [target.id])
    expect.equal(metal.update_volume_target(target, volume_id="v-2").volume_id, "v-2")
    expect.equal(metal.patch_volume_target(target, replace("/boot_index", 1)).boot_index, 1)
    metal.delete_volume_connector(connector)
    gone(exceptions, metal.get_volume_connector, metal.delete_volume_connector, connector.id)
    metal.delete_volume_target(target)
    gone(exceptions, metal.get_volume_target, metal.delete_volume_target, target.id)


def deploy_templates(metal, exceptions):
    steps = [{"interface": "bios", "step": "apply_configuration", "args": {}, "priority": 150}]
    made = metal.create_deploy_template(name="CUSTOM_FAST", steps=steps, extra={"a": 1})
    expect.equal(metal.get_deploy_template("CUSTOM_FAST").steps, steps)
    expect.equal([one.name for one in metal.deploy_templates(details=True)], ["CUSTOM_FAST"])
    expect.equal(metal.update_deploy_template(made, name="CUSTOM_SLOW").name, "CUSTOM_SLOW")
    expect.equal(metal.patch_deploy_template(made, replace("/extra/a", 2)).extra, {"a": 2})
    metal.delete_deploy_template(made)
    gone(exceptions, metal.get_deploy_template, metal.delete_deploy_template, made.id)


def drivers_and_conductors(metal, exceptions):
    names = [one.name for one in metal.drivers(details=True)]
    expect.true("fake-hardware" in names, "the driver is listed")
    driver = metal.get_driver("fake-hardware")
    expect.equal(driver.default_power_interface, "fake")
    expect.refused(exceptions.ResourceNotFound, metal.get_driver, "unheard-of")
    (conductor,) = metal.conductors()
    expect.equal(conductor.alive, True)
    # With details this release asks for a conductor of the name `detail` (contract: other-resources.md, section 8).
    expect.refused(exceptions.ResourceNotFound, lambda: list(metal.conductors(details=True)))
    expect.equal(driver.hosts, [conductor.hostname])
    expect.true("fake-hardware" in metal.get_conductor(conductor.hostname).drivers, "the conductor has the driver")
